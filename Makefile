# For packagers and people used to make: builds with CMake in $(BUILD), honours PG_CONFIG and
# DESTDIR. installcheck runs against a running server (PGHOST, PGPORT, PGUSER) that has both
# extensions installed; REGRESS chooses tests. Everything else is ./dev.
PG_CONFIG ?= pg_config
BUILD ?= build/release
REGRESS ?= $(sort $(filter types_%,$(TESTS))) $(sort $(filter-out types_%,$(TESTS)))
TESTS = $(basename $(notdir $(wildcard test/regress/sql/*.sql)))
override PG_CONFIG := $(shell command -v $(PG_CONFIG))
PG_REGRESS = $(dir $(shell $(PG_CONFIG) --pgxs))../test/regress/pg_regress

all:
	cmake -S . -B $(BUILD) -G Ninja -DCMAKE_BUILD_TYPE=Release -DPG_CONFIG=$(PG_CONFIG) \
	    -DPAGODA_TESTS=OFF -DPAGODA_BENCH=OFF
	cmake --build $(BUILD) --target pagoda_product

install: all
	cmake --install $(BUILD) --component pagoda

# The bundled types, for servers without pgvector; never over an installed pgvector.
install-vector: all
	cmake --install $(BUILD) --component vector

installcheck:
	mkdir -p build/installcheck
	$(PG_REGRESS) --inputdir=test/regress --outputdir=build/installcheck \
	    --bindir=$(shell $(PG_CONFIG) --bindir) --dbname=contrib_regression $(REGRESS)

demo test build bench clean setup:
	./dev $@

.PHONY: all install install-vector installcheck demo test build bench clean setup

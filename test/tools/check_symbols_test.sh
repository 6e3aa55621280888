#!/usr/bin/env bash
# check_symbols.sh finds a core object that calls the server and a module that exports too much,
# and passes a clean pair.
set -euo pipefail
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/build/pg" "$scratch/sql"
export PAGODA_SQL=$scratch/sql

# build CORE-SOURCE MODULE-SOURCE
build() {
    rm -f "$scratch/build/libpagoda_core.a"
    echo "$1" | c++ -x c++ -c - -o "$scratch/core.o"
    ar rc "$scratch/build/libpagoda_core.a" "$scratch/core.o"
    echo "$2" | c++ -x c++ -shared -fPIC - -o "$scratch/build/pg/sample.so"
}

# expect STATUS TEXT
expect() {
    local status=0 output
    output=$(bash tools/check_symbols.sh "$scratch/build" 2>&1) || status=$?
    if [ "$status" -ne "$1" ] || [[ $output != *"$2"* ]]; then
        echo "expected status $1 and '$2', got status $status and: $output"
        exit 1
    fi
}

echo "CREATE FUNCTION twice(int) RETURNS int AS 'MODULE_PATHNAME', 'sample_twice' LANGUAGE C;" \
    >"$scratch/sql/sample--1.sql"
good_core='extern "C" int abs(int); int f(int x) { return abs(x); }'
good_module='extern "C" int sample_twice() { return 2; }
             extern "C" int pg_finfo_sample_twice() { return 1; }'
build "$good_core" "$good_module"
expect 0 "symbols: clean"
build 'extern "C" void* palloc(unsigned long); void* f() { return palloc(1); }' "$good_module"
expect 1 "core needs PostgreSQL's palloc"
build "$good_core" 'int leaked() { return 1; }'
expect 1 "sample.so: exports without need _Z6leakedv"

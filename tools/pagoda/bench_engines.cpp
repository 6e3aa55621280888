// Engines of the search benchmark.
#include "tools/pagoda/bench_engines.h"

#include <algorithm>
#include <cmath>

#include "tools/pagoda/failure.h"

namespace pagoda::tool {
namespace {

std::string joined_options(const std::vector<std::pair<std::string, std::string>>& options) {
    std::string text;
    for (const auto& [name, value] : options) {
        if (value.empty()) continue;
        if (!text.empty()) text += ", ";
        text.append(name).append(" = ").append(value);
    }
    return text;
}

Engine engine_of(const std::string& method, const std::string& options) {
    Engine engine;
    engine.label = method;
    engine.index.method = method;
    engine.index.options = options;
    return engine;
}

Engine ivf_rabitq(const Arguments& arguments) {
    Engine engine =
        engine_of("ivf_rabitq", joined_options({{"lists", arguments.text("lists")},
                                                {"refine_bits", arguments.text("refine-bits")}}));
    engine.knob = "pagoda.probes";
    engine.values = arguments.list("probes");
    const std::string& epsilon = arguments.text("epsilon");
    if (!epsilon.empty()) engine.constant = "pagoda.epsilon=" + epsilon;
    return engine;
}

Engine hnsw(const Arguments& arguments) {
    Engine engine = engine_of(
        "hnsw", joined_options({{"m", arguments.text("hnsw-m")},
                                {"ef_construction", arguments.text("hnsw-ef-construction")}}));
    engine.knob = "hnsw.ef_search";
    engine.values = arguments.list("ef-search");
    return engine;
}

Engine exact(const std::string& label, const std::string& table) {
    Engine engine;
    engine.label = label;
    engine.table = table;
    return engine;
}

Engine ivfflat(const Arguments& arguments, size_t rows) {
    const std::string given = arguments.text("ivfflat-lists");
    const size_t lists =
        given.empty() ? advised_ivfflat_lists(rows) : arguments.count("ivfflat-lists");
    Engine engine = engine_of("ivfflat", "lists = " + std::to_string(lists));
    engine.knob = "ivfflat.probes";
    engine.values = arguments.list("ivfflat-probes");
    if (engine.values.empty()) {
        // The advised start is sqrt(lists); recall of .95 usually needs more.
        const auto root = size_t(std::lround(std::sqrt(double(lists))));
        for (const size_t factor : {1, 2, 4}) {
            const std::string probes = std::to_string(std::clamp<size_t>(factor * root, 1, lists));
            if (engine.values.empty() || engine.values.back() != probes) {
                engine.values.push_back(probes);
            }
        }
    }
    return engine;
}

}  // namespace

size_t advised_ivfflat_lists(size_t rows) {
    if (rows > 1'000'000) return size_t(std::sqrt(double(rows)));
    return std::max<size_t>(rows / 1000, 1);
}

std::vector<Engine> choose_engines(const Arguments& arguments, const std::string& table,
                                   size_t rows) {
    std::vector<Engine> engines;
    for (const std::string& name : arguments.list("engines")) {
        if (name == "exact") {
            engines.push_back(exact("exact", table));
        } else if (name == "exact_in_row") {
            engines.push_back(exact("exact, in row", table + "_in_row"));
        } else if (name == "ivf_rabitq") {
            engines.push_back(ivf_rabitq(arguments));
        } else if (name == "hnsw") {
            engines.push_back(hnsw(arguments));
        } else if (name == "ivfflat") {
            engines.push_back(ivfflat(arguments, rows));
        } else {
            throw UsageFailure("unknown engine \"" + name +
                               "\": exact, exact_in_row, ivf_rabitq, hnsw or ivfflat");
        }
        Engine& engine = engines.back();
        if (!engine.is_exact()) {
            engine.table = table;
            engine.index.name = table + "_" + engine.index.method;
        }
        if (engine.values.empty()) engine.values = {"default"};
    }
    return engines;
}

}  // namespace pagoda::tool

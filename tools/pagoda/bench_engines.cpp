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

Engine ivf_rabitq(const Arguments& arguments) {
    const std::string options = joined_options(
        {{"lists", arguments.text("lists")}, {"refine_bits", arguments.text("refine-bits")}});
    return {"ivf_rabitq",    {"", "ivf_rabitq", options}, "",
            "pagoda.probes", arguments.list("probes"),    ""};
}

Engine hnsw(const Arguments& arguments) {
    const std::string options =
        joined_options({{"m", arguments.text("hnsw-m")},
                        {"ef_construction", arguments.text("hnsw-ef-construction")}});
    return {"hnsw", {"", "hnsw", options}, "", "hnsw.ef_search", arguments.list("ef-search"), ""};
}

Engine ivfflat(const Arguments& arguments, size_t rows) {
    const std::string given = arguments.text("ivfflat-lists");
    const size_t lists =
        given.empty() ? advised_ivfflat_lists(rows) : arguments.count("ivfflat-lists");
    std::vector<std::string> probes = arguments.list("ivfflat-probes");
    if (probes.empty()) {
        // The advised start is sqrt(lists); recall of .95 usually needs more.
        const auto root = size_t(std::lround(std::sqrt(double(lists))));
        for (const size_t factor : {1, 2, 4}) {
            probes.push_back(std::to_string(std::clamp<size_t>(factor * root, 1, lists)));
        }
    }
    return {"ivfflat", {"", "ivfflat", "lists = " + std::to_string(lists)},
            "",        "ivfflat.probes",
            probes,    ""};
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
            engines.push_back({"exact", {}, table, "", {"default"}, ""});
        } else if (name == "exact_in_row") {
            engines.push_back({"exact, in row", {}, table + "_in_row", "", {"default"}, ""});
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

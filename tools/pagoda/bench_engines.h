// The index definitions that `pagoda bench search` compares, and the settings it sweeps for each.
#pragma once

#include <string>
#include <vector>

#include "tools/pagoda/arguments.h"
#include "tools/pagoda/index.h"

namespace pagoda::tool {

struct Engine {
    std::string label;
    IndexDefinition index;            // method empty: exact scan
    std::string table;                // that it searches
    std::string knob;                 // the setting that trades speed for recall; empty for none
    std::vector<std::string> values;  // "default" leaves the setting alone
    std::string constant;             // "name=value" that holds at every value; empty for none
    std::string note;                 // why it was skipped or gave up; empty while it takes part

    bool is_exact() const { return index.method.empty(); }
};

// Options: engines, lists, refine-bits, probes, epsilon, hnsw-m, hnsw-ef-construction, ef-search,
// ivfflat-lists, ivfflat-probes. Throws UsageFailure for an unknown engine.
std::vector<Engine> choose_engines(const Arguments& arguments, const std::string& table,
                                   size_t rows);

// What the documentation of ivfflat advises: rows / 1000 up to a million rows, sqrt(rows) above.
size_t advised_ivfflat_lists(size_t rows);

}  // namespace pagoda::tool

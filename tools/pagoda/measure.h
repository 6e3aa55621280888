// Figures of repeated measurements: percentiles of latencies, spread over rounds, recall.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace pagoda::tool {

// Nearest-rank percentile, fraction in (0, 1]; values need not be sorted, not empty.
double percentile(std::span<const double> values, double fraction);

struct Spread {
    double median = 0, min = 0, max = 0;
};

// The median of an even number of values is the mean of the middle two. Not empty.
Spread spread_of(std::span<const double> values);

// |found and first k of exact| / k, ids compared as they are: of two rows at the same distance only
// the listed one counts. exact holds at least k ids.
double recall_at(std::span<const int32_t> found, std::span<const int32_t> exact, size_t k);

}  // namespace pagoda::tool

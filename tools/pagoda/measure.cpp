// Percentile, spread and recall.
#include "tools/pagoda/measure.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"

namespace pagoda::tool {

double percentile(std::span<const double> values, double fraction) {
    check_always(!values.empty() && fraction > 0 && fraction <= 1);
    std::vector<double> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    const auto rank = size_t(std::ceil(fraction * double(sorted.size())));
    return sorted[std::max<size_t>(rank, 1) - 1];
}

Spread spread_of(std::span<const double> values) {
    check_always(!values.empty());
    std::vector<double> sorted(values.begin(), values.end());
    std::ranges::sort(sorted);
    const size_t middle = sorted.size() / 2;
    const double median =
        sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    return {median, sorted.front(), sorted.back()};
}

double recall_at(std::span<const int32_t> found, std::span<const int32_t> exact, size_t k) {
    check_always(k > 0 && exact.size() >= k);
    const auto wanted = exact.first(k);
    size_t hits = 0;
    for (const int32_t id : wanted) hits += std::ranges::find(found, id) != found.end();
    return double(hits) / double(k);
}

}  // namespace pagoda::tool

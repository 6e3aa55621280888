// See centroids.h.
#include "core/cluster/centroids.h"

#include <algorithm>

namespace pagoda::cluster {

void remove_empty_groups(Centroids& centroids) {
    const auto begin = centroids.group_begin;
    size_t kept = 0;
    for (size_t i = 0; i < centroids.group_count(); ++i) {
        if (begin[i + 1] == begin[i]) continue;
        if (kept < i) std::ranges::copy(centroids.group(i), centroids.group(kept).begin());
        // The lists removed so far are none, so the end of group i is the end of the kept one.
        begin[++kept] = begin[i + 1];
    }
    centroids.group_begin = begin.first(kept + 1);
    centroids.groups = centroids.groups.first(kept * centroids.dim);
}

double imbalance(std::span<const uint32_t> counts) {
    double sum = 0;
    double squares = 0;
    for (const uint32_t count : counts) {
        sum += count;
        squares += static_cast<double>(count) * count;
    }
    if (sum == 0) return 1;
    return static_cast<double>(counts.size()) * squares / (sum * sum);
}

}  // namespace pagoda::cluster

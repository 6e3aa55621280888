// The result of clustering: two levels of centroids. Fine centroids ("lists") are ordered by the
// coarse centroid ("group") they belong to, so a group's lists are one contiguous block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace pagoda::cluster {

// A view; the memory belongs to whoever made it (train() takes it from the caller's arena).
struct Centroids {
    size_t dim = 0;                   // floats a centroid, a multiple of 16
    std::span<float> groups;          // group_count() x dim
    std::span<float> lists;           // list_count() x dim, ordered by group
    std::span<uint32_t> group_begin;  // group_count() + 1; lists of group i: [begin[i], begin[i+1])

    uint32_t group_count() const {
        return group_begin.empty() ? 0 : static_cast<uint32_t>(group_begin.size() - 1);
    }
    uint32_t list_count() const { return group_begin.empty() ? 0 : group_begin.back(); }
    std::span<float> group(size_t i) const { return groups.subspan(i * dim, dim); }
    std::span<float> list(size_t i) const { return lists.subspan(i * dim, dim); }
};

// Removes groups that have no list; the others keep their order.
void remove_empty_groups(Centroids& centroids);

// How uneven lists are: k * sum n_i^2 / (sum n_i)^2. It is 1 for equal counts, k when one list has
// all rows, and 1 when there is no row.
double imbalance(std::span<const uint32_t> counts);

}  // namespace pagoda::cluster

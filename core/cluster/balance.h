// Evens out list sizes: lists with under 1/8 of the mean number of rows are given up, and their
// places go to lists with over 4 times the mean, which are split by k-means over their own rows.
// The number of lists stays; a small list is given up only to pay for a split.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/random.h"
#include "core/cluster/centroids.h"
#include "core/cluster/lloyd.h"
#include "core/cluster/nearest.h"
#include "core/cluster/progress.h"

namespace pagoda::cluster {

inline constexpr uint32_t balance_small_divisor = 8;
inline constexpr uint32_t balance_large_factor = 4;
inline constexpr uint32_t balance_parts_max = 8;  // one list is split into at most this many

struct BalanceWorkspace {
    std::span<float> parts;          // balance_parts_max x dim
    std::span<uint32_t> small;       // lists
    std::span<uint32_t> large;       // lists
    std::span<uint32_t> list_group;  // lists
    std::span<uint32_t> target;      // lists
};

template <class Source>
BalanceWorkspace allocate_balance(Source& source, size_t dim, uint32_t list_count) {
    BalanceWorkspace workspace;
    workspace.parts = source.template allocate<float>(balance_parts_max * dim);
    workspace.small = source.template allocate<uint32_t>(list_count);
    workspace.large = source.template allocate<uint32_t>(list_count);
    workspace.list_group = source.template allocate<uint32_t>(list_count);
    workspace.target = source.template allocate<uint32_t>(list_count);
    return workspace;
}

// Splits and gives up lists of `centroids`, given the rows of each list: list i has
// members[begin[i], begin[i + 1]). A new list belongs to the group of the list it was split from.
// members of a split list are permuted; lloyd's other arrays are workspace, its members and begin
// for at least the largest list and list_count() clusters. Returns how many lists were given up.
// Groups left without lists are removed.
uint32_t balance_lists(const Rows& rows, std::span<uint32_t> members,
                       std::span<const uint32_t> begin, std::span<const uint8_t> is_repeat,
                       const BalanceWorkspace& workspace, const LloydWorkspace& lloyd_workspace,
                       Random& random, Pace& pace, Centroids& centroids);

}  // namespace pagoda::cluster

// Training of the two-level centroids by hierarchical k-means:
//
//   1. k-means over a part of the sample finds about sqrt(k) groups;
//   2. each group gets lists in proportion to its rows (Sainte-Lague's divisors) and k-means of its
//   own;
//   3. refinement: all rows are assigned again over all lists by the two-level search, lists move
//   to
//      the means of their rows, groups to the means of their lists' rows. This mends the borders
//      between groups, which step 2 cannot see across.
//
// A small k is done by plain k-means and one group. README.md has the reasons and the measurements.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/arena.h"
#include "core/base/result.h"
#include "core/cluster/assign.h"
#include "core/cluster/centroids.h"
#include "core/cluster/progress.h"

namespace pagoda::cluster {

// What the measurements settled; only benchmarks and tests pass anything else.
struct Tuning {
    uint32_t flat_lists_max = 128;       // plain k-means up to this many lists
    uint32_t iterations = 10;            // of Lloyd's algorithm, in groups and in all else
    uint32_t refinements = 2;            // passes over all lists
    uint32_t explore = default_explore;  // groups that refinement explores
    float group_factor = 1;              // groups = group_factor * sqrt(lists)
};

// Bytes of arena that train() needs for its result and its work.
size_t train_bytes(size_t row_count, size_t dim, uint32_t list_count, const Tuning& tuning = {});

// Trains on `row_count` rows (row-major, dim floats each; dim is a multiple of 16; finite values,
// magnitudes up to 1e30). list_count > 0. `out` views memory of the arena, which is left with
// nothing else of use: the caller copies the result or keeps the arena. out.list_count() is below
// list_count when the sample has fewer distinct rows; no row gives one group and one list at zero.
// The result depends on the rows, the seed and the kernel level only. no_space: the arena is too
// small.
Status train(std::span<const float> sample, size_t row_count, size_t dim, uint32_t list_count,
             uint64_t seed, Progress progress, Arena& arena, Centroids& out,
             const Tuning& tuning = {});

}  // namespace pagoda::cluster

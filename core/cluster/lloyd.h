// Flat k-means (Lloyd's algorithm) over a subset of rows, and its parts: seeds, means, and the
// repair of clusters that lost all their rows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/random.h"
#include "core/cluster/nearest.h"
#include "core/cluster/progress.h"

namespace pagoda::cluster {

// Memory of Lloyd's algorithm. Arrays "by row" are indexed by row number, whatever the subset.
struct LloydWorkspace {
    Tile tile;
    std::span<float> half_norms;  // at least one per cluster
    std::span<float> best;        // by row: score of the nearest centroid (nearest.h)
    std::span<uint32_t> nearest;  // by row: cluster
    std::span<uint32_t> members;  // at least one per row of the subset: rows ordered by cluster
    std::span<uint32_t> begin;    // clusters + 1: where a cluster's members begin
    std::span<uint32_t> weights;  // at least one per cluster
};

// Copies randomly chosen rows of `ids` that are not marked in `is_repeat` (by row) into the
// centroids, no row twice. ids is permuted. Returns how many centroids were filled: fewer than
// asked for when there are not enough such rows.
uint32_t choose_seeds(const Rows& rows, std::span<uint32_t> ids, std::span<const uint8_t> is_repeat,
                      Random& random, Pace& pace, std::span<float> centroids);

// Writes ids ordered by nearest[id] to members and the start of each cluster to begin
// (begin.size() - 1 clusters). Ids of a cluster keep their order.
void order_members(std::span<const uint32_t> ids, std::span<const uint32_t> nearest, Pace& pace,
                   std::span<uint32_t> members, std::span<uint32_t> begin);

// target = the mean of the rows `members`, which are not empty.
void mean_of_rows(const Rows& rows, std::span<const uint32_t> members, Pace& pace,
                  std::span<float> target);

// Moves each centroid to the mean of its members; one without members stays. Then each cluster
// without members takes over half of the largest one: the two centroids are put on both sides of
// the old one, along the line to a random member. members and begin are as order_members left them.
void update_centroids(const Rows& rows, Random& random, const LloydWorkspace& workspace, Pace& pace,
                      std::span<float> centroids);

// Improves the centroids over the rows `ids`, at most `iterations` times (assignment, then means).
// Leaves the assignment that the last means were made of in workspace.nearest and members. Returns
// the sum over the rows of their scores in that assignment: each iteration lowers it, except one
// that follows a repair.
double lloyd(const Rows& rows, std::span<const uint32_t> ids, uint32_t iterations, Random& random,
             const LloydWorkspace& workspace, Pace& pace, std::span<float> centroids);

}  // namespace pagoda::cluster

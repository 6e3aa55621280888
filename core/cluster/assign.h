// Nearest list of many rows by two levels: each row looks at the lists of the groups whose
// centroids are nearest to it. Exploring several groups matters: with one, rows near the border of
// a group end in a list that is not their nearest (README.md has the figures).
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/arena.h"
#include "core/base/result.h"
#include "core/cluster/centroids.h"
#include "core/cluster/nearest.h"
#include "core/cluster/progress.h"

namespace pagoda::cluster {

inline constexpr uint32_t default_explore = 5;
// Most groups that may be explored when there are more groups than explored ones.
inline constexpr uint32_t explore_max = 256;

// Bytes of arena that assign() needs for `row_count` rows. It does not grow beyond
// assign_batch_rows rows, because more are worked through in batches.
size_t assign_bytes(size_t row_count, size_t dim, uint32_t group_count, uint32_t list_count,
                    uint32_t explore = default_explore);

// For each of lists.size() rows (row-major, centroids.dim floats each, finite, magnitudes up to
// 1e30) the list nearest to it among the lists of the `explore` nearest groups, and |row - list|^2
// (infinity where f32 cannot hold it). Exact when `explore` >= the number of groups; of equally
// near lists the first wins. `distances` may be empty. no_space: the arena is too small.
Status assign(const Centroids& centroids, std::span<const float> rows, uint32_t explore,
              Progress progress, Arena& arena, std::span<uint32_t> lists,
              std::span<float> distances);

// --- parts shared with training

inline constexpr size_t assign_batch_rows = 16'384;

struct AssignWorkspace {
    Tile tile;
    std::span<float> group_half_norms;
    std::span<float> list_half_norms;
    std::span<float> best;           // tile_rows(dim) x explore
    std::span<uint32_t> explored;    // batch x explore: groups of each row
    std::span<uint32_t> order;       // the same pairs ordered by group: row numbers
    std::span<uint32_t> pair_begin;  // groups + 1
};

template <class Source>
AssignWorkspace allocate_assign(Source& source, size_t row_count, size_t dim, uint32_t group_count,
                                uint32_t list_count, uint32_t explore) {
    AssignWorkspace workspace;
    const size_t batch = std::min(row_count, assign_batch_rows);
    // When every group is explored rows go through all lists and no pairs are made.
    const size_t several = explore < group_count ? explore : 1;
    workspace.tile = allocate_tile(source, dim);
    workspace.group_half_norms = source.template allocate<float>(group_count);
    workspace.list_half_norms = source.template allocate<float>(list_count);
    workspace.best = source.template allocate<float>(tile_rows(dim) * several);
    workspace.explored = source.template allocate<uint32_t>(batch * several);
    workspace.order = source.template allocate<uint32_t>(batch * several);
    workspace.pair_begin = source.template allocate<uint32_t>(size_t{group_count} + 1);
    return workspace;
}

// The two-level assignment of rows whose scale is known: best[i] is the score (nearest.h) and
// nearest[i] the list of row i. Computes the half norms first. The workspace may be one for more
// groups and lists.
void assign_rows(const Rows& rows, const Centroids& centroids, uint32_t explore,
                 const AssignWorkspace& workspace, Pace& pace, std::span<float> best,
                 std::span<uint32_t> nearest);

}  // namespace pagoda::cluster

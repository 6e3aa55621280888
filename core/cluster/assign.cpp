// See assign.h.
#include "core/cluster/assign.h"

#include <limits>
#include <numeric>

#include "core/base/arena_meter.h"
#include "core/base/check.h"

namespace pagoda::cluster {

namespace {

// Orders the pairs (row, explored group) by group, rows ascending within a group. Afterwards the
// rows of group i are order[pair_begin[i], pair_begin[i + 1]).
void order_by_group(std::span<const uint32_t> explored, size_t explore,
                    const AssignWorkspace& workspace, Pace& pace) {
    const auto begin = workspace.pair_begin;
    std::ranges::fill(begin, 0);
    for (const uint32_t group : explored) ++begin[group + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    for (size_t pair = 0; pair < explored.size(); ++pair) {
        workspace.order[begin[explored[pair]]++] = static_cast<uint32_t>(pair / explore);
    }
    // Each start was moved to its end, which is the start of the next group.
    for (size_t i = begin.size() - 1; i > 0; --i) begin[i] = begin[i - 1];
    begin[0] = 0;
    pace.spend(2 * explored.size());
}

void assign_batch(const Rows& rows, const Centroids& centroids, uint32_t explore,
                  const AssignWorkspace& workspace, Pace& pace, std::span<float> best,
                  std::span<uint32_t> nearest) {
    const size_t dim = rows.dim;
    const size_t count = rows.count();
    std::ranges::fill(best, std::numeric_limits<float>::infinity());
    std::ranges::fill(nearest, 0);
    if (explore >= centroids.group_count()) {
        const auto all = workspace.order.first(count);
        std::iota(all.begin(), all.end(), 0);
        const Candidates lists{centroids.lists, workspace.list_half_norms, 0};
        improve_nearest(rows, all, lists, workspace.tile, pace, best, nearest);
        return;
    }
    const auto explored = workspace.explored.first(count * explore);
    const Candidates groups{centroids.groups, workspace.group_half_norms, 0};
    find_several(rows, groups, explore, workspace.tile, pace, workspace.best, explored);
    order_by_group(explored, explore, workspace, pace);
    for (size_t group = 0; group < centroids.group_count(); ++group) {
        const size_t begin = workspace.pair_begin[group];
        const size_t end = workspace.pair_begin[group + 1];
        const uint32_t first = centroids.group_begin[group];
        const size_t list_count = centroids.group_begin[group + 1] - first;
        const Candidates lists{centroids.lists.subspan(first * dim, list_count * dim),
                               workspace.list_half_norms.subspan(first, list_count), first};
        improve_nearest(rows, workspace.order.subspan(begin, end - begin), lists, workspace.tile,
                        pace, best, nearest);
    }
}

}  // namespace

void assign_rows(const Rows& rows, const Centroids& centroids, uint32_t explore,
                 const AssignWorkspace& workspace, Pace& pace, std::span<float> best,
                 std::span<uint32_t> nearest) {
    const size_t dim = rows.dim;
    const Rows groups{centroids.groups, dim, rows.scale};
    const Rows lists{centroids.lists, dim, rows.scale};
    AssignWorkspace used = workspace;
    used.group_half_norms = workspace.group_half_norms.first(centroids.group_count());
    used.list_half_norms = workspace.list_half_norms.first(centroids.list_count());
    used.pair_begin = workspace.pair_begin.first(size_t{centroids.group_count()} + 1);
    compute_half_norms(groups, used.tile, pace, used.group_half_norms);
    compute_half_norms(lists, used.tile, pace, used.list_half_norms);
    for (size_t begin = 0; begin < rows.count(); begin += assign_batch_rows) {
        const size_t count = std::min(assign_batch_rows, rows.count() - begin);
        const Rows batch{rows.values.subspan(begin * dim, count * dim), dim, rows.scale};
        assign_batch(batch, centroids, explore, used, pace, best.subspan(begin, count),
                     nearest.subspan(begin, count));
    }
}

namespace {

struct Whole {
    AssignWorkspace workspace;
    std::span<float> best;
};

// Everything that assign() takes from its arena.
template <class Source>
Whole allocate_whole(Source& source, size_t row_count, size_t dim, uint32_t group_count,
                     uint32_t list_count, uint32_t explore) {
    Whole whole;
    whole.workspace = allocate_assign(source, row_count, dim, group_count, list_count, explore);
    whole.best = source.template allocate<float>(row_count);
    return whole;
}

}  // namespace

size_t assign_bytes(size_t row_count, size_t dim, uint32_t group_count, uint32_t list_count,
                    uint32_t explore) {
    ArenaMeter meter;
    allocate_whole(meter, std::min(row_count, assign_batch_rows), dim, group_count, list_count,
                   explore);
    return meter.bytes();
}

Status assign(const Centroids& centroids, std::span<const float> rows, uint32_t explore,
              Progress progress, Arena& arena, std::span<uint32_t> lists,
              std::span<float> distances) {
    const size_t dim = centroids.dim;
    check(dim > 0 && dim % 16 == 0);
    check(explore > 0);
    check(explore <= explore_max || explore >= centroids.group_count());
    check(centroids.list_count() > 0);
    check(rows.size() == lists.size() * dim);
    check(distances.empty() || distances.size() == lists.size());
    if (lists.empty()) return {};
    const uint32_t group_count = centroids.group_count();
    const uint32_t list_count = centroids.list_count();
    if (arena.remaining() < assign_bytes(lists.size(), dim, group_count, list_count, explore)) {
        return Error{ErrorCode::no_space, no_block, "assign_bytes() of workspace"};
    }
    const Whole whole = allocate_whole(arena, std::min(lists.size(), assign_batch_rows), dim,
                                       group_count, list_count, explore);
    Pace pace(progress);
    const float magnitude =
        std::max({largest_magnitude(rows, pace), largest_magnitude(centroids.lists, pace),
                  largest_magnitude(centroids.groups, pace)});
    const float scale = scale_for(magnitude);
    for (size_t begin = 0; begin < lists.size(); begin += assign_batch_rows) {
        const size_t count = std::min(assign_batch_rows, lists.size() - begin);
        const Rows batch{rows.subspan(begin * dim, count * dim), dim, scale};
        const auto found = lists.subspan(begin, count);
        assign_rows(batch, centroids, explore, whole.workspace, pace, whole.best.first(count),
                    found);
        if (distances.empty()) continue;
        for (size_t i = 0; i < count; ++i) {
            distances[begin + i] =
                simd::kernels().l2_f32(batch.row(i).data(), centroids.list(found[i]).data(), dim);
            pace.spend(dim);
        }
    }
    return {};
}

}  // namespace pagoda::cluster

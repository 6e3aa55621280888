// See train.h.
#include "core/cluster/train.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/arena_meter.h"
#include "core/base/check.h"
#include "core/base/random.h"
#include "core/cluster/distinct.h"
#include "core/cluster/lloyd.h"
#include "core/cluster/nearest.h"
#include "core/cluster/seats.h"

namespace pagoda::cluster {

namespace {

// Rows of the part of the sample that the groups are trained on, for each group.
constexpr size_t coarse_rows_per_group = 256;

uint32_t wanted_groups(uint32_t list_count, const Tuning& tuning) {
    if (list_count <= tuning.flat_lists_max) return 1;
    const float root = tuning.group_factor * std::sqrt(static_cast<float>(list_count));
    return std::clamp<uint32_t>(static_cast<uint32_t>(std::lround(root)), 1, list_count);
}

struct Workspace {
    Centroids out;
    // Three arrays by row, cut from one span that also serves as hash table before they are used.
    std::span<uint32_t> by_row;
    std::span<uint32_t> nearest;
    std::span<uint32_t> order;
    std::span<uint32_t> members;
    std::span<float> best;           // by row
    std::span<uint8_t> is_repeat;    // by row
    std::span<uint32_t> list_begin;  // lists + 1
    std::span<uint32_t> part_begin;  // lists + 1, of k-means over a part of the rows
    std::span<uint32_t> weights;     // lists
    std::span<uint32_t> group_rows;  // groups + 1
    std::span<uint32_t> limits;      // groups
    std::span<uint32_t> seats;       // groups
    AssignWorkspace assign;
};

template <class Source>
Workspace allocate_workspace(Source& source, size_t row_count, size_t dim, uint32_t list_count,
                             const Tuning& tuning) {
    const size_t rows = std::max<size_t>(row_count, 1);
    const auto lists = static_cast<uint32_t>(std::min<size_t>(list_count, rows));
    const uint32_t groups = wanted_groups(lists, tuning);
    Workspace workspace;
    workspace.out.dim = dim;
    workspace.out.groups = source.template allocate<float>(groups * dim);
    workspace.out.lists = source.template allocate<float>(lists * dim);
    workspace.out.group_begin = source.template allocate<uint32_t>(size_t{groups} + 1);
    workspace.by_row = source.template allocate<uint32_t>(3 * rows);
    workspace.best = source.template allocate<float>(rows);
    workspace.is_repeat = source.template allocate<uint8_t>(rows);
    workspace.list_begin = source.template allocate<uint32_t>(size_t{lists} + 1);
    workspace.part_begin = source.template allocate<uint32_t>(size_t{lists} + 1);
    workspace.weights = source.template allocate<uint32_t>(lists);
    workspace.group_rows = source.template allocate<uint32_t>(size_t{groups} + 1);
    workspace.limits = source.template allocate<uint32_t>(groups);
    workspace.seats = source.template allocate<uint32_t>(groups);
    workspace.assign = allocate_assign(source, rows, dim, groups, lists, tuning.explore);
    return workspace;
}

// All that a step of training works with.
struct Training {
    Rows rows;
    const Tuning& tuning;
    Workspace workspace;
    Random random;
    Pace pace;
};

// Memory for k-means over a part of the rows. Its members go to `members`.
LloydWorkspace lloyd_workspace(const Workspace& workspace, std::span<uint32_t> members) {
    return {workspace.assign.tile,
            workspace.assign.list_half_norms,
            workspace.best,
            workspace.nearest,
            members,
            workspace.part_begin,
            workspace.weights};
}

// All row numbers, in workspace.order.
std::span<uint32_t> all_rows(Training& training) {
    const auto ids = training.workspace.order;
    std::iota(ids.begin(), ids.end(), 0);
    return ids;
}

// One group that has all lists.
void train_flat(Training& training) {
    Workspace& workspace = training.workspace;
    Centroids& out = workspace.out;
    const auto ids = all_rows(training);
    const uint32_t found = choose_seeds(training.rows, ids, workspace.is_repeat, training.random,
                                        training.pace, out.lists);
    check_always(found == out.lists.size() / out.dim);
    lloyd(training.rows, ids, training.tuning.iterations + training.tuning.refinements,
          training.random, lloyd_workspace(workspace, workspace.members), training.pace, out.lists);
    mean_of_rows(training.rows, ids, training.pace, out.groups);
    out.group_begin[0] = 0;
    out.group_begin[1] = found;
}

// Trains the group centroids and leaves the rows of each in workspace.order and group_rows.
void train_groups(Training& training) {
    Workspace& workspace = training.workspace;
    Centroids& out = workspace.out;
    const uint32_t group_count = out.group_count();
    const auto ids = all_rows(training);
    const uint32_t found = choose_seeds(training.rows, ids, workspace.is_repeat, training.random,
                                        training.pace, out.groups);
    check_always(found == group_count);
    const size_t part = std::min(ids.size(), coarse_rows_per_group * group_count);
    for (size_t i = 0; i < part; ++i) {
        std::swap(ids[i], ids[i + training.random.below(ids.size() - i)]);
        training.pace.spend(8);
    }
    const LloydWorkspace memory = lloyd_workspace(workspace, workspace.members);
    lloyd(training.rows, ids.first(part), training.tuning.iterations, training.random, memory,
          training.pace, out.groups);

    const auto half_norms = workspace.assign.group_half_norms.first(group_count);
    compute_half_norms({out.groups, out.dim, training.rows.scale}, memory.tile, training.pace,
                       half_norms);
    std::ranges::fill(workspace.best, std::numeric_limits<float>::infinity());
    std::ranges::fill(workspace.nearest, 0);
    std::iota(workspace.members.begin(), workspace.members.end(), 0);
    improve_nearest(training.rows, workspace.members, {out.groups, half_norms, 0}, memory.tile,
                    training.pace, workspace.best, workspace.nearest);
    order_members(workspace.members, workspace.nearest, training.pace, workspace.order,
                  workspace.group_rows);
}

// Decides how many lists each group gets and trains them on the group's rows.
void train_lists(Training& training, uint32_t list_count) {
    Workspace& workspace = training.workspace;
    Centroids& out = workspace.out;
    const uint32_t group_count = out.group_count();
    const auto rows_of = [&](uint32_t group) {
        const uint32_t begin = workspace.group_rows[group];
        return workspace.order.subspan(begin, workspace.group_rows[group + 1] - begin);
    };
    for (uint32_t group = 0; group < group_count; ++group) {
        workspace.weights[group] = static_cast<uint32_t>(rows_of(group).size());
        uint32_t distinct = 0;
        for (const uint32_t id : rows_of(group)) {
            distinct += workspace.is_repeat[id] == 0 ? 1 : 0;
            training.pace.spend(1);
        }
        workspace.limits[group] = distinct;
    }
    allocate_seats(workspace.weights.first(group_count), workspace.limits.first(group_count),
                   list_count, training.pace, workspace.seats.first(group_count));
    out.group_begin[0] = 0;
    for (uint32_t group = 0; group < group_count; ++group) {
        const uint32_t first = out.group_begin[group];
        const uint32_t count = workspace.seats[group];
        out.group_begin[group + 1] = first + count;
        if (count == 0) continue;
        const auto lists = out.lists.subspan(first * out.dim, count * out.dim);
        const uint32_t found = choose_seeds(training.rows, rows_of(group), workspace.is_repeat,
                                            training.random, training.pace, lists);
        check_always(found == count);
        lloyd(training.rows, rows_of(group), training.tuning.iterations, training.random,
              lloyd_workspace(workspace, workspace.members), training.pace, lists);
    }
    remove_empty_groups(out);
}

// Assigns all rows over all lists and moves lists and groups to the means of their rows. Leaves the
// rows of each list in workspace.members and list_begin.
void refine(Training& training) {
    Workspace& workspace = training.workspace;
    Centroids& out = workspace.out;
    assign_rows(training.rows, out, training.tuning.explore, workspace.assign, training.pace,
                workspace.best, workspace.nearest);
    order_members(all_rows(training), workspace.nearest, training.pace, workspace.members,
                  workspace.list_begin);
    for (uint32_t group = 0; group < out.group_count(); ++group) {
        const uint32_t first = out.group_begin[group];
        const uint32_t count = out.group_begin[group + 1] - first;
        // Group by group, so that a list without rows is repaired within its group.
        LloydWorkspace memory = lloyd_workspace(workspace, workspace.members);
        memory.begin = workspace.list_begin.subspan(first, size_t{count} + 1);
        update_centroids(training.rows, training.random, memory, training.pace,
                         out.lists.subspan(first * out.dim, count * out.dim));
        const uint32_t begin = memory.begin.front();
        const auto members = workspace.members.subspan(begin, memory.begin.back() - begin);
        if (!members.empty()) {
            mean_of_rows(training.rows, members, training.pace, out.group(group));
        }
    }
}

void train_hierarchy(Training& training, uint32_t list_count) {
    train_groups(training);
    train_lists(training, list_count);
    for (uint32_t pass = 0; pass < training.tuning.refinements; ++pass) refine(training);
}

// Cuts what was allocated for the largest possible number of lists down to the actual one.
void set_counts(Workspace& workspace, uint32_t group_count, uint32_t list_count) {
    Centroids& out = workspace.out;
    out.groups = out.groups.first(group_count * out.dim);
    out.lists = out.lists.first(list_count * out.dim);
    out.group_begin = out.group_begin.first(size_t{group_count} + 1);
    workspace.list_begin = workspace.list_begin.first(size_t{list_count} + 1);
    workspace.group_rows = workspace.group_rows.first(size_t{group_count} + 1);
}

}  // namespace

size_t train_bytes(size_t row_count, size_t dim, uint32_t list_count, const Tuning& tuning) {
    ArenaMeter meter;
    allocate_workspace(meter, row_count, dim, list_count, tuning);
    return meter.bytes();
}

Status train(std::span<const float> sample, size_t row_count, size_t dim, uint32_t list_count,
             uint64_t seed, Progress progress, Arena& arena, Centroids& out, const Tuning& tuning) {
    check(dim > 0 && dim % 16 == 0);
    check(list_count > 0);
    check(sample.size() == row_count * dim);
    check(row_count < UINT32_MAX);
    check(tuning.explore > 0 && tuning.explore <= explore_max);
    if (arena.remaining() < train_bytes(row_count, dim, list_count, tuning)) {
        return Error{ErrorCode::no_space, no_block, "train_bytes() of workspace"};
    }
    Training training{{sample, dim, 1},
                      tuning,
                      allocate_workspace(arena, row_count, dim, list_count, tuning),
                      Random(seed),
                      Pace(progress)};
    Workspace& workspace = training.workspace;
    if (row_count == 0) {
        set_counts(workspace, 1, 1);
        workspace.out.group_begin[1] = 1;  // the arena gave zeroes: one list at the origin
        out = workspace.out;
        return {};
    }
    training.rows.scale = scale_for(largest_magnitude(sample, training.pace));
    const auto table = workspace.by_row.first(distinct_table_slots(row_count));
    const uint32_t distinct =
        mark_repeats(training.rows, table, training.pace, workspace.is_repeat);
    workspace.nearest = workspace.by_row.first(row_count);
    workspace.order = workspace.by_row.subspan(row_count, row_count);
    workspace.members = workspace.by_row.subspan(2 * row_count, row_count);

    const uint32_t lists = std::min(list_count, distinct);
    const uint32_t groups = wanted_groups(lists, tuning);
    set_counts(workspace, groups, lists);
    if (groups == 1) {
        train_flat(training);
    } else {
        train_hierarchy(training, lists);
    }
    out = workspace.out;
    return {};
}

}  // namespace pagoda::cluster

// See lloyd.h.
#include "core/cluster/lloyd.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "core/base/check.h"
#include "core/cluster/lanes.h"

namespace pagoda::cluster {

uint32_t choose_seeds(const Rows& rows, std::span<uint32_t> ids, std::span<const uint8_t> is_repeat,
                      Random& random, Pace& pace, std::span<float> centroids) {
    size_t distinct = 0;
    for (size_t i = 0; i < ids.size(); ++i) {
        if (is_repeat[ids[i]] == 0) std::swap(ids[i], ids[distinct++]);
        pace.spend(1);
    }
    const size_t count = std::min(centroids.size() / rows.dim, distinct);
    for (size_t i = 0; i < count; ++i) {
        std::swap(ids[i], ids[i + random.below(distinct - i)]);
        std::ranges::copy(rows.row(ids[i]), centroids.begin() + i * rows.dim);
        pace.spend(rows.dim);
    }
    return static_cast<uint32_t>(count);
}

void order_members(std::span<const uint32_t> ids, std::span<const uint32_t> nearest, Pace& pace,
                   std::span<uint32_t> members, std::span<uint32_t> begin) {
    std::ranges::fill(begin, 0);
    for (const uint32_t id : ids) {
        ++begin[nearest[id] + 1];
        pace.spend(1);
    }
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    for (const uint32_t id : ids) {
        members[begin[nearest[id]]++] = id;
        pace.spend(1);
    }
    // Each start was moved to its end, which is the start of the next cluster.
    for (size_t i = begin.size() - 1; i > 0; --i) begin[i] = begin[i - 1];
    begin[0] = 0;
}

void mean_of_rows(const Rows& rows, std::span<const uint32_t> members, Pace& pace,
                  std::span<float> target) {
    check(!members.empty());
    std::ranges::fill(target, 0.0f);
    for (const uint32_t id : members) {
        add_to(rows.row(id).data(), rows.dim, target.data());
        pace.spend(rows.dim);
    }
    const float share = 1.0f / static_cast<float>(members.size());
    for (float& value : target) value *= share;
}

namespace {

// Moves `centroid` and `twin` to opposite sides of the centroid, half way to `member` and its
// mirror image. The plane between them passes through the old centroid, so each gets about half its
// rows.
void split_towards(std::span<const float> member, std::span<float> centroid,
                   std::span<float> twin) {
    for (size_t i = 0; i < member.size(); ++i) {
        const float half = 0.5f * member[i] - 0.5f * centroid[i];
        twin[i] = centroid[i] + half;
        centroid[i] -= half;
    }
}

void repair_empty(const Rows& rows, Random& random, const LloydWorkspace& workspace, Pace& pace,
                  std::span<float> centroids) {
    const size_t dim = rows.dim;
    const auto begin = workspace.begin;
    const auto weights = workspace.weights.first(begin.size() - 1);
    for (size_t i = 0; i < weights.size(); ++i) weights[i] = begin[i + 1] - begin[i];
    for (size_t empty = 0; empty < weights.size(); ++empty) {
        if (begin[empty + 1] != begin[empty]) continue;
        const size_t largest = std::ranges::max_element(weights) - weights.begin();
        pace.spend(weights.size() + dim);
        if (weights[largest] < 2) return;
        const size_t count = begin[largest + 1] - begin[largest];
        const uint32_t member = workspace.members[begin[largest] + random.below(count)];
        split_towards(rows.row(member), centroids.subspan(largest * dim, dim),
                      centroids.subspan(empty * dim, dim));
        // The twin's share is not counted as weight: it has no members to split along yet.
        weights[largest] /= 2;
    }
}

}  // namespace

void update_centroids(const Rows& rows, Random& random, const LloydWorkspace& workspace, Pace& pace,
                      std::span<float> centroids) {
    const auto begin = workspace.begin;
    bool has_empty = false;
    for (size_t i = 0; i + 1 < begin.size(); ++i) {
        const auto members = workspace.members.subspan(begin[i], begin[i + 1] - begin[i]);
        if (members.empty()) {
            has_empty = true;
            continue;
        }
        mean_of_rows(rows, members, pace, centroids.subspan(i * rows.dim, rows.dim));
    }
    if (has_empty) repair_empty(rows, random, workspace, pace, centroids);
}

double lloyd(const Rows& rows, std::span<const uint32_t> ids, uint32_t iterations, Random& random,
             const LloydWorkspace& workspace, Pace& pace, std::span<float> centroids) {
    const size_t count = centroids.size() / rows.dim;
    LloydWorkspace used = workspace;
    used.half_norms = workspace.half_norms.first(count);
    used.begin = workspace.begin.first(count + 1);
    double previous = std::numeric_limits<double>::infinity();
    for (uint32_t iteration = 0; iteration < iterations; ++iteration) {
        compute_half_norms({centroids, rows.dim, rows.scale}, used.tile, pace, used.half_norms);
        for (const uint32_t id : ids) {
            used.best[id] = std::numeric_limits<float>::infinity();
            used.nearest[id] = 0;
            pace.spend(1);
        }
        improve_nearest(rows, ids, {centroids, used.half_norms, 0}, used.tile, pace, used.best,
                        used.nearest);
        double objective = 0;
        for (const uint32_t id : ids) {
            objective += used.best[id];
            pace.spend(1);
        }
        order_members(ids, used.nearest, pace, used.members, used.begin);
        update_centroids(rows, random, used, pace, centroids);
        if (objective == previous) break;
        previous = objective;
    }
    return previous;
}

}  // namespace pagoda::cluster

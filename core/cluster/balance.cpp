// See balance.h.
#include "core/cluster/balance.h"

#include <algorithm>
#include <numeric>

#include "core/base/check.h"

namespace pagoda::cluster {

namespace {

struct Extremes {
    std::span<uint32_t> small;  // smallest first
    std::span<uint32_t> large;  // largest first
};

// The lists that are too small and too large. Ties are ordered by list number.
Extremes find_extremes(std::span<const uint32_t> begin, const BalanceWorkspace& workspace) {
    const size_t count = begin.size() - 1;
    const uint64_t rows = begin[count];
    const auto size_of = [&](uint32_t list) { return begin[list + 1] - begin[list]; };
    size_t small = 0;
    size_t large = 0;
    for (uint32_t list = 0; list < count; ++list) {
        const uint64_t scaled = uint64_t{size_of(list)} * count;
        if (scaled * balance_small_divisor < rows) workspace.small[small++] = list;
        if (scaled > rows * balance_large_factor) workspace.large[large++] = list;
    }
    const Extremes extremes{workspace.small.first(small), workspace.large.first(large)};
    std::ranges::sort(extremes.small, [&](uint32_t a, uint32_t b) {
        return size_of(a) != size_of(b) ? size_of(a) < size_of(b) : a < b;
    });
    std::ranges::sort(extremes.large, [&](uint32_t a, uint32_t b) {
        return size_of(a) != size_of(b) ? size_of(a) > size_of(b) : a < b;
    });
    return extremes;
}

// Puts lists back in the order of their groups: a stable counting sort whose permutation is applied
// in place, cycle by cycle.
void reorder_lists(const BalanceWorkspace& workspace, Pace& pace, Centroids& centroids) {
    const size_t dim = centroids.dim;
    const auto begin = centroids.group_begin;
    const size_t count = centroids.list_count();
    const auto target = workspace.target.first(count);
    std::ranges::fill(begin, 0);
    for (size_t i = 0; i < count; ++i) ++begin[workspace.list_group[i] + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    for (size_t i = 0; i < count; ++i) target[i] = begin[workspace.list_group[i]]++;
    for (size_t i = begin.size() - 1; i > 0; --i) begin[i] = begin[i - 1];
    begin[0] = 0;
    remove_empty_groups(centroids);
    for (size_t start = 0; start < count; ++start) {
        while (target[start] != start) {
            const uint32_t place = target[start];
            std::ranges::swap_ranges(centroids.list(start), centroids.list(place));
            std::swap(target[start], target[place]);
            pace.spend(2 * dim);
        }
    }
}

}  // namespace

uint32_t balance_lists(const Rows& rows, std::span<uint32_t> members,
                       std::span<const uint32_t> begin, std::span<const uint8_t> is_repeat,
                       const BalanceWorkspace& workspace, const LloydWorkspace& lloyd_workspace,
                       Random& random, Pace& pace, Centroids& centroids) {
    constexpr uint32_t iterations = 4;
    const size_t dim = centroids.dim;
    const size_t count = centroids.list_count();
    check(begin.size() == count + 1);
    const Extremes extremes = find_extremes(begin, workspace);
    if (extremes.small.empty() || extremes.large.empty()) return 0;
    for (uint32_t group = 0; group < centroids.group_count(); ++group) {
        std::fill(workspace.list_group.begin() + centroids.group_begin[group],
                  workspace.list_group.begin() + centroids.group_begin[group + 1], group);
    }
    uint32_t given_up = 0;
    for (const uint32_t list : extremes.large) {
        const auto places = extremes.small.subspan(given_up);
        if (places.empty()) break;
        const auto own = members.subspan(begin[list], begin[list + 1] - begin[list]);
        // Aims at twice the mean for each part.
        const uint64_t wanted = uint64_t{own.size()} * count / (2 * uint64_t{begin[count]});
        const size_t parts_max = std::min<size_t>({wanted, balance_parts_max, places.size() + 1});
        const uint32_t parts = choose_seeds(rows, own, is_repeat, random, pace,
                                            workspace.parts.first(parts_max * dim));
        if (parts < 2) continue;
        const auto part_centroids = workspace.parts.first(parts * dim);
        lloyd(rows, own, iterations, random, lloyd_workspace, pace, part_centroids);
        std::ranges::copy(part_centroids.first(dim), centroids.list(list).begin());
        for (uint32_t part = 1; part < parts; ++part) {
            const uint32_t place = places[part - 1];
            std::ranges::copy(part_centroids.subspan(part * dim, dim),
                              centroids.list(place).begin());
            workspace.list_group[place] = workspace.list_group[list];
        }
        given_up += parts - 1;
    }
    if (given_up > 0) reorder_lists(workspace, pace, centroids);
    return given_up;
}

}  // namespace pagoda::cluster

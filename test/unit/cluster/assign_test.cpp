// Two-level assignment against distances computed one by one in f64. A list counts as nearest when
// it is so within the rounding of f32 products.
#include "core/cluster/assign.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "test/unit/cluster/rows.h"

namespace pagoda::cluster {
namespace {

constexpr uint64_t seed = 20261130;

Tuning hierarchical() {
    Tuning tuning;
    tuning.flat_lists_max = 1;
    return tuning;
}

uint32_t group_of(const Centroids& centroids, uint32_t list) {
    const auto begin = centroids.group_begin;
    return static_cast<uint32_t>(std::ranges::upper_bound(begin, list) - begin.begin() - 1);
}

// Slack for comparing squared distances of rows of this size in f32.
double slack(std::span<const float> row) {
    return 1e-5 * (1 + squared_distance(row, std::vector<float>(row.size())));
}

TEST(Assign, finds_the_nearest_list_when_every_group_is_explored) {
    for (const size_t dim : {64, 80, 208}) {
        const auto rows = clustered_rows(600, dim, seed + dim);
        const Trained trained = train_exactly(rows, dim, 70, seed, hierarchical());
        const Centroids& centroids = trained.centroids;
        for (const uint32_t explore : {centroids.group_count(), 200u}) {
            const Assigned assigned = assign_exactly(centroids, rows, explore);
            for (size_t i = 0; i < assigned.lists.size(); ++i) {
                const auto row = std::span(rows).subspan(i * dim, dim);
                double nearest = INFINITY;
                for (uint32_t list = 0; list < centroids.list_count(); ++list) {
                    nearest = std::min(nearest, squared_distance(row, centroids.list(list)));
                }
                ASSERT_LT(assigned.lists[i], centroids.list_count());
                const double found = squared_distance(row, centroids.list(assigned.lists[i]));
                ASSERT_LE(found, nearest + slack(row)) << "row " << i << " dim " << dim;
                ASSERT_NEAR(assigned.distances[i], found, 1e-4 * found + 1e-6);
            }
        }
    }
}

TEST(Assign, finds_the_nearest_list_among_the_explored_groups) {
    constexpr size_t dim = 64;
    const auto rows = clustered_rows(700, dim, seed);
    const Trained trained = train_exactly(rows, dim, 120, seed, hierarchical());
    const Centroids& centroids = trained.centroids;
    for (const uint32_t explore : {1u, 2u, 3u, 5u, 9u}) {
        ASSERT_LT(explore, centroids.group_count());
        const Assigned assigned = assign_exactly(centroids, rows, explore);
        for (size_t i = 0; i < assigned.lists.size(); ++i) {
            const auto row = std::span(rows).subspan(i * dim, dim);
            std::vector<double> to_group(centroids.group_count());
            for (uint32_t g = 0; g < to_group.size(); ++g) {
                to_group[g] = squared_distance(row, centroids.group(g));
            }
            auto sorted = to_group;
            std::ranges::sort(sorted);
            const uint32_t own = group_of(centroids, assigned.lists[i]);
            ASSERT_LE(to_group[own], sorted[explore - 1] + slack(row));
            // Groups that rounding cannot have pushed out must have been looked at.
            const double found = squared_distance(row, centroids.list(assigned.lists[i]));
            for (uint32_t list = 0; list < centroids.list_count(); ++list) {
                const uint32_t group = group_of(centroids, list);
                if (to_group[group] >= sorted[explore] - slack(row)) continue;
                ASSERT_LE(found, squared_distance(row, centroids.list(list)) + slack(row));
            }
        }
    }
}

TEST(Assign, finds_more_nearest_lists_the_more_groups_are_explored) {
    constexpr size_t dim = 96;
    const auto rows = clustered_rows(8000, dim, seed);
    const Trained trained = train_exactly(rows, dim, 256, seed);
    const Assigned exact = assign_exactly(trained.centroids, rows, 1000);
    size_t previous = 0;
    for (const uint32_t explore : {1u, 2u, 3u, 5u, 8u}) {
        const Assigned assigned = assign_exactly(trained.centroids, rows, explore);
        size_t same = 0;
        for (size_t i = 0; i < exact.lists.size(); ++i) {
            same += assigned.lists[i] == exact.lists[i] ? 1 : 0;
            ASSERT_GE(assigned.distances[i], exact.distances[i] * (1 - 1e-4f));
        }
        EXPECT_GE(same, previous) << "explore " << explore;
        previous = same;
        if (explore != default_explore) continue;
        EXPECT_GE(same, exact.lists.size() * 97 / 100);
    }
}

TEST(Assign, gives_the_same_lists_at_any_power_of_two_scale) {
    constexpr size_t dim = 64;
    const auto rows = clustered_rows(500, dim, seed);
    Trained trained = train_exactly(rows, dim, 80, seed, hierarchical());
    const Assigned expected = assign_exactly(trained.centroids, rows, 3);
    for (const int exponent : {-66, -30, 1, 30, 60, 90}) {
        std::vector<float> scaled(rows);
        for (float& value : scaled) value = std::ldexp(value, exponent);
        Centroids centroids = trained.centroids;
        std::vector<float> groups(centroids.groups.begin(), centroids.groups.end());
        std::vector<float> lists(centroids.lists.begin(), centroids.lists.end());
        for (float& value : groups) value = std::ldexp(value, exponent);
        for (float& value : lists) value = std::ldexp(value, exponent);
        centroids.groups = groups;
        centroids.lists = lists;
        const Assigned assigned = assign_exactly(centroids, scaled, 3);
        EXPECT_EQ(assigned.lists, expected.lists) << "2^" << exponent;
        for (const float distance : assigned.distances) ASSERT_FALSE(std::isnan(distance));
    }
}

TEST(Assign, works_through_more_rows_than_a_batch_in_the_memory_of_one_batch) {
    constexpr size_t dim = 64;
    const size_t count = assign_batch_rows + 777;
    const auto rows = clustered_rows(count, dim, seed);
    const Trained trained =
        train_exactly(std::span(rows).first(2000 * dim), dim, 30, seed, hierarchical());
    const uint32_t groups = trained.centroids.group_count();
    EXPECT_EQ(assign_bytes(count, dim, groups, 30, 2),
              assign_bytes(assign_batch_rows, dim, groups, 30, 2));
    const Assigned all = assign_exactly(trained.centroids, rows, 2);
    const size_t half = count / 2;
    const Assigned first = assign_exactly(trained.centroids, std::span(rows).first(half * dim), 2);
    const Assigned rest = assign_exactly(trained.centroids, std::span(rows).subspan(half * dim), 2);
    size_t different = 0;
    for (size_t i = 0; i < count; ++i) {
        const uint32_t list = i < half ? first.lists[i] : rest.lists[i - half];
        // Only the place in a tile differs, which may change the last bit of a product.
        different += list == all.lists[i] ? 0 : 1;
    }
    EXPECT_LE(different, count / 1000);
}

TEST(Assign, prefers_the_first_of_equal_lists) {
    constexpr size_t dim = 64;
    std::vector<float> groups(2 * dim, 0.5f);
    std::vector<float> lists(6 * dim, 2.0f);
    std::vector<uint32_t> begin{0, 3, 6};
    std::fill(lists.begin(), lists.begin() + dim, 9.0f);
    const Centroids centroids{dim, groups, lists, begin};
    const std::vector<float> rows(3 * dim, 1.75f);
    for (const uint32_t explore : {1u, 2u}) {
        const Assigned assigned = assign_exactly(centroids, rows, explore);
        EXPECT_EQ(assigned.lists, (std::vector<uint32_t>{1, 1, 1}));
        EXPECT_FLOAT_EQ(assigned.distances[0], dim * 0.0625f);
    }
}

TEST(Assign, reports_memory_that_is_too_small) {
    constexpr size_t dim = 64;
    const auto rows = clustered_rows(300, dim, seed);
    const Trained trained = train_exactly(rows, dim, 80, seed, hierarchical());
    std::vector<uint32_t> lists(300);
    const size_t bytes =
        assign_bytes(300, dim, trained.centroids.group_count(), trained.centroids.list_count(), 2);
    std::vector<std::byte> memory(bytes);
    Arena small{std::span(memory).first(bytes - 1)};
    const Status refused = assign(trained.centroids, rows, 2, {}, small, lists, {});
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, ErrorCode::no_space);
    EXPECT_EQ(small.used(), 0u);
    Arena enough(memory);
    EXPECT_TRUE(assign(trained.centroids, rows, 2, {}, enough, lists, {}).ok());
    // Announced is what is used, but for the padding of each of the ten allocations.
    EXPECT_LE(enough.used(), bytes);
    EXPECT_GE(enough.used() + 11 * Arena::alignment, bytes);
}

TEST(Assign, of_no_rows_does_nothing) {
    constexpr size_t dim = 64;
    const auto rows = clustered_rows(20, dim, seed);
    const Trained trained = train_exactly(rows, dim, 4, seed);
    Arena nothing({});
    EXPECT_TRUE(assign(trained.centroids, {}, 5, {}, nothing, {}, {}).ok());
}

TEST(Assign, can_be_left_at_any_poll) {
    constexpr size_t dim = 256;
    const auto rows = clustered_rows(3000, dim, seed);
    const Trained trained =
        train_exactly(std::span(rows).first(600 * dim), dim, 100, seed, hierarchical());
    struct Count {
        int left;
        int seen = 0;
    };
    const auto poll = [](void* context) {
        auto* count = static_cast<Count*>(context);
        ++count->seen;
        if (count->left-- == 0) throw 1;
    };
    Count never{1 << 30};
    const Assigned expected = assign_exactly(trained.centroids, rows, 5, {poll, &never});
    ASSERT_GE(never.seen, 3);
    for (int stop = 0; stop < never.seen; stop += 1 + stop / 8) {
        Count count{stop};
        EXPECT_THROW(assign_exactly(trained.centroids, rows, 5, {poll, &count}), int);
    }
    EXPECT_EQ(assign_exactly(trained.centroids, rows, 5).lists, expected.lists);
}

}  // namespace
}  // namespace pagoda::cluster

// Properties of training: shape of the result, quality against plain k-means, determinism, data
// with repeats and extreme magnitudes, cancellation.
#include "core/cluster/train.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <set>
#include <vector>

#include "test/unit/cluster/rows.h"

namespace pagoda::cluster {
namespace {

constexpr uint64_t seed = 4711;

Tuning always_flat() {
    Tuning tuning;
    tuning.flat_lists_max = UINT32_MAX;
    return tuning;
}

Tuning never_flat() {
    Tuning tuning;
    tuning.flat_lists_max = 1;
    return tuning;
}

bool same(std::span<const float> a, std::span<const float> b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size_bytes()) == 0;
}

TEST(Train, gives_the_lists_that_are_asked_for_in_groups_of_about_their_square_root) {
    constexpr size_t dim = 64;
    const auto rows = clustered_rows(6000, dim, seed);
    for (const uint32_t lists : {1u, 2u, 7u, 128u, 129u, 300u}) {
        const Trained trained = train_exactly(rows, dim, lists, seed);
        ASSERT_TRUE(is_well_formed(trained.centroids)) << lists;
        EXPECT_EQ(trained.centroids.list_count(), lists);
        if (lists <= Tuning{}.flat_lists_max) {
            EXPECT_EQ(trained.centroids.group_count(), 1u);
        } else {
            const double root = Tuning{}.group_factor * std::sqrt(lists);
            EXPECT_NEAR(trained.centroids.group_count(), root, 1.0);
        }
    }
}

TEST(Train, comes_close_to_the_error_of_plain_k_means) {
    constexpr size_t dim = 64;
    const auto rows = clustered_rows(8000, dim, seed);
    constexpr uint32_t lists = 200;
    const Trained flat = train_exactly(rows, dim, lists, seed, always_flat());
    const Trained hierarchical = train_exactly(rows, dim, lists, seed);
    const double flat_error = assign_exactly(flat.centroids, rows, 1).mean_distance();
    const double error =
        assign_exactly(hierarchical.centroids, rows, default_explore).mean_distance();
    EXPECT_LT(error, 1.04 * flat_error);
}

TEST(Train, lowers_the_error_with_each_refinement) {
    constexpr size_t dim = 64;
    const auto rows = clustered_rows(6000, dim, seed);
    double previous = INFINITY;
    for (const uint32_t refinements : {0u, 1u, 2u, 4u}) {
        Tuning tuning = never_flat();
        tuning.refinements = refinements;
        const Trained trained = train_exactly(rows, dim, 120, seed, tuning);
        const double error = assign_exactly(trained.centroids, rows, 1000).mean_distance();
        EXPECT_LT(error, previous) << refinements;
        previous = error;
    }
}

TEST(Train, spreads_rows_evenly_enough) {
    constexpr size_t dim = 64;
    const auto rows = clustered_rows(8000, dim, seed);
    const Trained trained = train_exactly(rows, dim, 200, seed);
    const Assigned assigned = assign_exactly(trained.centroids, rows, default_explore);
    std::vector<uint32_t> counts(trained.centroids.list_count());
    for (const uint32_t list : assigned.lists) ++counts[list];
    EXPECT_LT(imbalance(counts), 1.6);
    EXPECT_GT(*std::ranges::min_element(counts), 0u);
}

TEST(Train, puts_groups_at_the_means_of_their_rows) {
    constexpr size_t dim = 64;
    const auto rows = clustered_rows(3000, dim, seed);
    Tuning tuning = never_flat();
    tuning.explore = explore_max;
    tuning.refinements = 30;  // until nothing moves
    const Trained trained = train_exactly(rows, dim, 25, seed, tuning);
    const Centroids& centroids = trained.centroids;
    const Assigned assigned = assign_exactly(centroids, rows, explore_max);
    for (uint32_t group = 0; group < centroids.group_count(); ++group) {
        std::vector<double> sum(dim);
        size_t count = 0;
        for (size_t i = 0; i < assigned.lists.size(); ++i) {
            const uint32_t list = assigned.lists[i];
            if (list < centroids.group_begin[group] || list >= centroids.group_begin[group + 1]) {
                continue;
            }
            ++count;
            for (size_t j = 0; j < dim; ++j) sum[j] += rows[i * dim + j];
        }
        ASSERT_GT(count, 0u);
        std::vector<float> mean(dim);
        for (size_t j = 0; j < dim; ++j) mean[j] = static_cast<float>(sum[j] / count);
        EXPECT_LT(squared_distance(mean, centroids.group(group)), 0.05) << group;
    }
}

TEST(Train, repeats_itself_for_a_seed_and_not_for_another) {
    constexpr size_t dim = 80;
    const auto rows = clustered_rows(2000, dim, seed);
    for (const uint32_t lists : {20u, 150u}) {
        const Trained first = train_exactly(rows, dim, lists, 1);
        const Trained again = train_exactly(rows, dim, lists, 1);
        const Trained other = train_exactly(rows, dim, lists, 2);
        EXPECT_TRUE(same(first.centroids.lists, again.centroids.lists));
        EXPECT_TRUE(same(first.centroids.groups, again.centroids.groups));
        EXPECT_TRUE(std::ranges::equal(first.centroids.group_begin, again.centroids.group_begin));
        EXPECT_FALSE(same(first.centroids.lists, other.centroids.lists));
    }
}

TEST(Train, has_one_list_for_each_distinct_row_when_rows_are_few) {
    constexpr size_t dim = 64;
    for (const size_t distinct : {1, 2, 5, 128, 150}) {
        const auto once = clustered_rows(distinct, dim, seed);
        std::vector<float> rows;
        for (int i = 0; i < 7; ++i) rows.insert(rows.end(), once.begin(), once.end());
        const Trained trained = train_exactly(rows, dim, 500, seed);
        ASSERT_TRUE(is_well_formed(trained.centroids)) << distinct;
        ASSERT_EQ(trained.centroids.list_count(), distinct);
        const Assigned assigned = assign_exactly(trained.centroids, once, 1000);
        for (size_t i = 0; i < distinct; ++i) {
            EXPECT_LT(assigned.distances[i],
                      1e-8 * squared_distance(std::span(once).subspan(i * dim, dim),
                                              std::vector<float>(dim)));
        }
        const std::set<uint32_t> used(assigned.lists.begin(), assigned.lists.end());
        EXPECT_EQ(used.size(), distinct);
    }
}

TEST(Train, of_equal_rows_gives_one_list_at_the_row) {
    constexpr size_t dim = 64;
    const std::vector<float> rows(900 * dim, 0.375f);
    const Trained trained = train_exactly(rows, dim, 200, seed);
    ASSERT_TRUE(is_well_formed(trained.centroids));
    ASSERT_EQ(trained.centroids.list_count(), 1u);
    for (const float value : trained.centroids.lists) EXPECT_FLOAT_EQ(value, 0.375f);
}

TEST(Train, of_no_rows_gives_one_list_at_the_origin) {
    constexpr size_t dim = 64;
    const Trained trained = train_exactly({}, dim, 100, seed);
    ASSERT_TRUE(is_well_formed(trained.centroids));
    EXPECT_EQ(trained.centroids.group_count(), 1u);
    EXPECT_EQ(trained.centroids.list_count(), 1u);
    for (const float value : trained.centroids.lists) EXPECT_EQ(value, 0);
}

TEST(Train, copes_with_one_value_in_most_rows) {
    constexpr size_t dim = 64;
    auto rows = clustered_rows(4000, dim, seed);
    std::fill(rows.begin(), rows.begin() + 3000 * dim, 1.0f);
    const Trained trained = train_exactly(rows, dim, 300, seed);
    ASSERT_TRUE(is_well_formed(trained.centroids));
    EXPECT_EQ(trained.centroids.list_count(), 300u);
    const Assigned assigned = assign_exactly(trained.centroids, rows, default_explore);
    // The repeated row has a list of its own or shares one with close rows only.
    EXPECT_LT(assigned.distances[0], 0.1 * assigned.distances[3999] + 20);
}

TEST(Train, gives_the_same_lists_at_any_power_of_two_scale) {
    constexpr size_t dim = 64;
    const auto rows = clustered_rows(1200, dim, seed);
    for (const uint32_t lists : {16u, 150u}) {
        const Trained expected = train_exactly(rows, dim, lists, seed);
        // 2^-66 is about 1e-20, 2^60 about 1e18.
        for (const int exponent : {-66, -20, 60, 90}) {
            std::vector<float> scaled(rows);
            for (float& value : scaled) value = std::ldexp(value, exponent);
            const Trained trained = train_exactly(scaled, dim, lists, seed);
            ASSERT_TRUE(is_well_formed(trained.centroids)) << exponent;
            std::vector<float> back(trained.centroids.lists.begin(), trained.centroids.lists.end());
            for (float& value : back) value = std::ldexp(value, -exponent);
            EXPECT_TRUE(same(back, expected.centroids.lists)) << exponent;
        }
    }
}

TEST(Train, stays_finite_when_magnitudes_differ_widely_between_rows) {
    constexpr size_t dim = 64;
    auto rows = clustered_rows(1000, dim, seed);
    for (size_t i = 0; i < rows.size(); ++i) {
        rows[i] = std::ldexp(rows[i], static_cast<int>(i / dim % 5) * 32 - 66);
    }
    const Trained trained = train_exactly(rows, dim, 150, seed);
    EXPECT_TRUE(is_well_formed(trained.centroids));
}

TEST(Train, handles_the_dimensions_of_the_vector_type) {
    for (const size_t dim : {64, 784, 2064, 16'000}) {
        const size_t count = dim > 4000 ? 30 : 200;
        const auto rows = clustered_rows(count, dim, seed);
        const Trained trained = train_exactly(rows, dim, 20, seed, never_flat());
        ASSERT_TRUE(is_well_formed(trained.centroids)) << dim;
        EXPECT_EQ(trained.centroids.list_count(), 20u);
        EXPECT_LE(2 * tile_rows(dim) * tile_columns * dim, 3 * product_work);
    }
}

TEST(Train, reports_memory_that_is_too_small) {
    constexpr size_t dim = 64;
    const auto rows = clustered_rows(1000, dim, seed);
    for (const uint32_t lists : {10u, 150u}) {
        const size_t bytes = train_bytes(1000, dim, lists);
        std::vector<std::byte> memory(bytes);
        Centroids centroids;
        Arena small{std::span(memory).first(bytes - 1)};
        const Status refused = train(rows, 1000, dim, lists, seed, {}, small, centroids);
        ASSERT_FALSE(refused.ok());
        EXPECT_EQ(refused.error().code, ErrorCode::no_space);
        EXPECT_EQ(centroids.list_count(), 0u);
        Arena enough(memory);
        ASSERT_TRUE(train(rows, 1000, dim, lists, seed, {}, enough, centroids).ok());
        EXPECT_LE(enough.used(), bytes);
        EXPECT_GE(enough.used() + 26 * Arena::alignment, bytes);
    }
}

TEST(Train, can_be_left_at_any_poll) {
    constexpr size_t dim = 128;
    const auto rows = clustered_rows(2000, dim, seed);
    struct Count {
        int left;
        int seen = 0;
    };
    const auto poll = [](void* context) {
        auto* count = static_cast<Count*>(context);
        ++count->seen;
        if (count->left-- == 0) throw 1;
    };
    for (const uint32_t lists : {30u, 150u}) {
        Count never{1 << 30};
        const Trained expected = train_exactly(rows, dim, lists, seed, {}, {poll, &never});
        ASSERT_GE(never.seen, 8);
        for (int stop = 0; stop < never.seen; stop += 1 + stop / 8) {
            Count count{stop};
            EXPECT_THROW(train_exactly(rows, dim, lists, seed, {}, {poll, &count}), int);
            EXPECT_EQ(count.seen, stop + 1);
        }
        const Trained again = train_exactly(rows, dim, lists, seed);
        EXPECT_TRUE(same(again.centroids.lists, expected.centroids.lists));
    }
}

TEST(Train, polls_in_proportion_to_its_work) {
    constexpr size_t dim = 64;
    const auto rows = clustered_rows(4000, dim, seed);
    int polls = 0;
    const Progress progress{[](void* context) { ++*static_cast<int*>(context); }, &polls};
    Tuning tuning = always_flat();
    tuning.iterations = 8;
    tuning.refinements = 0;
    train_exactly(rows, dim, 64, seed, tuning, progress);
    // Products alone are 8 x 4000 x 64 x 64 multiply-adds, unless it converges before.
    EXPECT_GE(polls, static_cast<int>(8 * 4000 * 64 * 64 / (2 * product_work)));
}

}  // namespace
}  // namespace pagoda::cluster

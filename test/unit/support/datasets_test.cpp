// The test vectors have the shape that their description promises, and the exact search is exact.
#include "test/support/datasets.h"

#include <cmath>
#include <limits>
#include <set>

#include <gtest/gtest.h>

namespace pagoda::test {
namespace {

TEST(Datasets, clustered_rows_depend_on_seed_and_stream_only) {
    const ClusteredShape shape{.rows = 50, .dim = 32, .seed = 3};
    const VectorSet set = clustered(shape);
    EXPECT_EQ(set.rows(), 50u);
    EXPECT_EQ(set.values, clustered(shape).values);
    ClusteredShape other = shape;
    other.stream = 1;
    EXPECT_NE(set.values, clustered(other).values);
    other = shape;
    other.seed = 4;
    EXPECT_NE(set.values, clustered(other).values);
    for (const float value : set.values) EXPECT_TRUE(std::isfinite(value));
}

TEST(Datasets, clustered_rows_lie_nearer_to_each_other_than_isotropic_ones) {
    // Ratio of the nearest to the mean distance: small when there are clusters, near 1 when not.
    const auto contrast = [](const VectorSet& set) {
        double sum = 0, nearest_sum = 0;
        for (size_t i = 0; i < 20; i++) {
            const auto neighbours = exact_top_k(set, set.row(i), set.rows(), Distance::l2);
            nearest_sum += std::sqrt(neighbours[1].distance);
            double mean = 0;
            for (const Neighbour& neighbour : neighbours) mean += std::sqrt(neighbour.distance);
            sum += mean / static_cast<double>(neighbours.size());
        }
        return nearest_sum / sum;
    };
    EXPECT_LT(contrast(clustered({.rows = 500, .dim = 64, .seed = 5})), 0.5);
    EXPECT_GT(contrast(isotropic(500, 64, 5)), 0.6);
}

TEST(Datasets, duplicates_have_few_distinct_rows_and_constants_one) {
    const VectorSet set = duplicated(200, 8, 5, 6);
    std::set<std::vector<float>> distinct;
    for (size_t i = 0; i < set.rows(); i++) {
        distinct.insert({set.row(i).begin(), set.row(i).end()});
    }
    EXPECT_EQ(distinct.size(), 5u);
    EXPECT_EQ(constant(3, 2, 1.5f).values, std::vector<float>(6, 1.5f));
    EXPECT_EQ(scaled(constant(1, 2, 2.0f), 1e30f).values, std::vector<float>(2, 2e30f));
}

TEST(Datasets, distances_are_those_of_their_names) {
    const float a[] = {3, 4}, b[] = {-4, 3}, zero[] = {0, 0};
    EXPECT_EQ(exact_distance(a, b, Distance::l2), 50);
    EXPECT_EQ(exact_distance(a, a, Distance::inner_product), -25);
    EXPECT_EQ(exact_distance(a, b, Distance::cosine), 1);
    EXPECT_EQ(exact_distance(a, zero, Distance::cosine), std::numeric_limits<double>::infinity());
}

TEST(Datasets, exact_search_orders_by_distance_then_row) {
    const VectorSet set{1, {5, 1, 3, 1, 9}};
    const float query[] = {1};
    const auto found = exact_top_k(set, query, 3, Distance::l2);
    ASSERT_EQ(found.size(), 3u);
    EXPECT_EQ(found[0].row, 1u);
    EXPECT_EQ(found[1].row, 3u);
    EXPECT_EQ(found[2].row, 2u);
    EXPECT_EQ(found[2].distance, 4);
    EXPECT_EQ(exact_top_k(set, query, 100, Distance::l2).size(), 5u);
}

TEST(Datasets, recall_accepts_equal_distances_and_counts_a_row_once) {
    const VectorSet set{1, {0, 1, 1, 1, 5}};
    const float query[] = {0};
    const auto exact = exact_top_k(set, query, 2, Distance::l2);
    const auto recall_of = [&](std::vector<uint32_t> found) {
        return recall(set, query, Distance::l2, exact, found);
    };
    EXPECT_EQ(recall_of({0, 3}), 1.0);
    EXPECT_EQ(recall_of({4, 0}), 0.5);
    EXPECT_EQ(recall_of({0, 0}), 0.5);
    EXPECT_EQ(recall_of({4, 4, 0, 1}), 0.0);
    EXPECT_EQ(recall_of({}), 0.0);
}

}  // namespace
}  // namespace pagoda::test

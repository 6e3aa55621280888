// Percentiles, spreads, recall and the exact neighbours they are measured against.
#include "tools/pagoda/measure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "core/base/random.h"
#include "tools/pagoda/exact.h"

namespace pagoda::tool {
namespace {

TEST(Measure, percentile_is_the_nearest_rank) {
    std::vector<double> values(100);
    std::iota(values.rbegin(), values.rend(), 1.0);
    EXPECT_EQ(percentile(values, 0.5), 50);
    EXPECT_EQ(percentile(values, 0.99), 99);
    EXPECT_EQ(percentile(values, 1), 100);
    EXPECT_EQ(percentile(std::vector<double>{3}, 0.01), 3);
}

TEST(Measure, spread_has_the_median_between_the_extremes) {
    const Spread odd = spread_of(std::vector<double>{5, 1, 3});
    EXPECT_EQ(odd.median, 3);
    EXPECT_EQ(odd.min, 1);
    EXPECT_EQ(odd.max, 5);
    EXPECT_EQ(spread_of(std::vector<double>{4, 1, 2, 9}).median, 3);
}

TEST(Measure, recall_counts_the_listed_neighbours_that_were_found) {
    const std::vector<int32_t> exact = {1, 2, 3, 4, 5};
    EXPECT_EQ(recall_at(std::vector<int32_t>{4, 3, 2, 1}, exact, 4), 1);
    EXPECT_EQ(recall_at(std::vector<int32_t>{1, 5, 9, 2}, exact, 4), 0.5);
    EXPECT_EQ(recall_at({}, exact, 4), 0);
    EXPECT_EQ(recall_at(std::vector<int32_t>{1, 1, 1, 1}, exact, 4), 0.25);
}

MatrixView view_of(const std::vector<float>& values, size_t columns) {
    return {ElementType::f32, values.size() / columns, columns, std::as_bytes(std::span(values))};
}

double plain_distance(const float* a, const float* b, size_t n, Metric metric) {
    double dot = 0, norm_a = 0, norm_b = 0, squared = 0;
    for (size_t i = 0; i < n; ++i) {
        dot += double(a[i]) * b[i];
        norm_a += double(a[i]) * a[i];
        norm_b += double(b[i]) * b[i];
        squared += (double(a[i]) - b[i]) * (double(a[i]) - b[i]);
    }
    if (metric == Metric::l2) return squared;
    if (metric == Metric::inner_product) return -dot;
    return -dot / std::sqrt(norm_a * norm_b);
}

TEST(Exact, agrees_with_sorting_all_distances_under_every_metric) {
    constexpr size_t rows = 203, queries = 37, columns = 13, k = 10;
    constexpr uint64_t seed = 7;
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    std::vector<float> base(rows * columns), asked(queries * columns);
    for (float& value : base) value = float(random.below(2001)) / 1000 - 1;
    for (float& value : asked) value = float(random.below(2001)) / 1000 - 1;
    for (const Metric metric : {Metric::l2, Metric::inner_product, Metric::cosine}) {
        const Neighbours found =
            exact_neighbours(view_of(base, columns), view_of(asked, columns), metric, k);
        for (size_t q = 0; q < queries; ++q) {
            std::vector<std::pair<double, int32_t>> all;
            for (size_t i = 0; i < rows; ++i) {
                all.emplace_back(
                    plain_distance(&asked[q * columns], &base[i * columns], columns, metric),
                    int32_t(i));
            }
            std::ranges::sort(all);
            for (size_t i = 0; i < k; ++i) EXPECT_EQ(found.of(q)[i], all[i].second);
        }
    }
}

TEST(Exact, puts_equal_rows_in_the_order_of_their_ids_and_zero_vectors_last) {
    const std::vector<float> base = {0, 0, 1, 1, 1, 1, 2, 2, -1, 0};
    const std::vector<float> query = {1, 1};
    const Neighbours found =
        exact_neighbours(view_of(base, 2), view_of(query, 2), Metric::cosine, 5);
    EXPECT_EQ(found.ids, (std::vector<int32_t>{1, 2, 3, 4, 0}));
}

}  // namespace
}  // namespace pagoda::tool

// The query side: table and integers stay within half a step, traps of constant, zero and huge
// queries, and data without any spread.
#include "core/rabitq/estimate.h"

#include <gtest/gtest.h>

#include <limits>

#include "test/unit/rabitq/support.h"

namespace pagoda::rabitq {
namespace {

using test::dot;
using test::gaussian_vector;
using test::Vector;

TEST(Query, every_table_entry_is_within_half_a_step_of_its_sum) {
    Random random(601);
    for (size_t dim : {64, 112, 768, 2000}) {
        const Vector w = gaussian_vector(random, dim, 3);
        std::vector<uint8_t> table(lookup_bytes(dim));
        const LookupTable lookup = build_lookup(w, table);
        double minima = 0;
        uint8_t largest = 0;
        for (size_t row = 0; row < group_rows(dim); ++row) {
            double least = 0;
            for (size_t i = 0; i < 4; ++i) least -= std::fabs(double{w[row * 4 + i]}) / 2;
            minima += least;
            for (size_t b = 0; b < 16; ++b) {
                double sum = 0;
                for (size_t i = 0; i < 4; ++i) {
                    sum += (b >> i & 1) != 0 ? w[row * 4 + i] / 2.0 : -w[row * 4 + i] / 2.0;
                }
                const uint8_t entry = table[row * 16 + b];
                largest = std::max(largest, entry);
                ASSERT_NEAR(entry * double{lookup.step} + least, sum, 0.501 * lookup.step);
            }
        }
        EXPECT_EQ(largest, 127);
        EXPECT_NEAR(lookup.offset, minima, 1e-5 * std::fabs(minima));
    }
}

TEST(Query, twelve_bit_integers_are_within_half_a_step) {
    Random random(602);
    for (size_t dim : {64, 768}) {
        const Vector w = gaussian_vector(random, dim, 1e-4);
        std::vector<int16_t> values(dim);
        const LevelQuery query = quantize_query(w, values);
        int64_t sum = 0;
        int largest = 0;
        for (size_t i = 0; i < dim; ++i) {
            ASSERT_NEAR(values[i] * double{query.step}, w[i], 0.501 * query.step);
            largest = std::max(largest, std::abs(int{values[i]}));
            sum += values[i];
        }
        EXPECT_EQ(largest, 2047);
        EXPECT_EQ(query.sum, sum);
    }
}

TEST(Query, level_dot_is_that_of_the_centred_code) {
    Random random(603);
    for (uint32_t bits : {4u, 8u}) {
        constexpr size_t dim = 128;
        std::vector<uint8_t> code(level_code_bytes(dim, bits));
        for (uint8_t& c : code) c = static_cast<uint8_t>(random.next());
        const Vector w = gaussian_vector(random, dim);
        std::vector<int16_t> values(dim);
        const LevelQuery query = quantize_query(w, values);
        Vector rounded(dim);
        for (size_t i = 0; i < dim; ++i) rounded[i] = static_cast<float>(values[i]);
        const double expected = query.step * level_code_dot(code, bits, rounded);
        const double given = level_dot(query, values, code, bits);
        EXPECT_NEAR(given, expected, 1e-12 * (1 + std::fabs(expected)));
    }
}

TEST(QueryTraps, a_query_at_the_mean_has_step_zero_and_no_table) {
    constexpr size_t dim = 64;
    for (float value : {0.0f, -0.0f, 1e-38f, 1e-45f}) {
        const Vector w(dim, value);
        std::vector<uint8_t> table(lookup_bytes(dim), 99);
        const LookupTable lookup = build_lookup(w, table);
        EXPECT_EQ(lookup.step, 0);
        EXPECT_EQ(lookup.offset, 0);
        EXPECT_EQ(table, std::vector<uint8_t>(table.size(), 0));
        std::vector<int16_t> values(dim, 99);
        const LevelQuery query = quantize_query(w, values);
        EXPECT_EQ(query.step, 0);
        EXPECT_EQ(query.sum, 0);
        const std::vector<uint8_t> code(dim, 200);
        EXPECT_EQ(level_dot(query, values, code, 8), 0);
    }
}

TEST(QueryTraps, a_constant_query_and_one_of_a_single_component_are_exact) {
    constexpr size_t dim = 64;
    for (double scale : {1e-20, 1.0, 1e18}) {
        for (bool is_constant : {true, false}) {
            Vector w(dim, is_constant ? static_cast<float>(scale) : 0.0f);
            w[5] = static_cast<float>(-scale);
            std::vector<uint8_t> table(lookup_bytes(dim));
            const LookupTable lookup = build_lookup(w, table);
            EXPECT_TRUE(std::isfinite(lookup.step) && lookup.step > 0);
            const std::vector<uint8_t> bits(dim / 8, 0xA5);
            uint32_t acc = 0;
            for (size_t row = 0; row < group_rows(dim); ++row) {
                acc += table[row * 16 + code_nibble(bits, row)];
            }
            const double estimated = double{lookup.step} * acc + lookup.offset;
            const double slack = is_constant ? 8.5 * lookup.step : 1e-6 * scale;
            EXPECT_NEAR(estimated, sign_code_dot(bits, w), slack) << scale;
        }
    }
}

TEST(QueryTraps, non_finite_queries_give_no_undefined_result) {
    constexpr size_t dim = 64;
    for (float bad : {std::numeric_limits<float>::infinity(), std::nanf(""), 3e38f}) {
        Vector w(dim, 3e38f);
        w[3] = bad;
        std::vector<uint8_t> table(lookup_bytes(dim), 255);
        const LookupTable lookup = build_lookup(w, table);
        EXPECT_EQ(lookup.step, 0) << bad;
        EXPECT_EQ(table, std::vector<uint8_t>(table.size(), 0));
        std::vector<int16_t> values(dim);
        const LevelQuery query = quantize_query(w, values);
        EXPECT_TRUE(std::isfinite(query.step));
        for (int16_t v : values) EXPECT_LE(std::abs(int{v}), 2047);
    }
}

// All rows equal: their list's centroid is the row, the mean is the row; every estimate is exact.
TEST(QueryTraps, data_without_spread_gives_exact_estimates) {
    constexpr size_t dim = 64;
    Random random(604);
    const Vector zero(dim, 0.0f), mean = gaussian_vector(random, dim);
    const Vector w = gaussian_vector(random, dim);
    const float query_norm2 = static_cast<float>(dot(w, w));
    const double mean_dot_query = dot(mean, mean) + dot(mean, w);  // q = mean + w
    for (Metric metric : {Metric::l2, Metric::inner_product}) {
        const bool is_l2 = metric == Metric::l2;
        const EncodeInput input{metric, zero, zero, mean};
        std::vector<uint8_t> bits(dim / 8), code(dim);
        const SignCode signs = encode_signs(input, bits);
        const LevelCode levels = encode_levels(input, signs, 8, code);
        const double expected = is_l2 ? dot(w, w) : -mean_dot_query;
        const auto mean_term = static_cast<float>(mean_dot_query);
        const ListTerms list =
            is_l2 ? l2_terms(query_norm2) : inner_product_terms(query_norm2, mean_term, 0);
        EXPECT_NEAR(signs.factors.add + list.base, expected, 1e-4);
        EXPECT_EQ(signs.factors.scale, 0);
        const LevelTerms terms = level_terms({metric, dim, 8, 0.3f, query_norm2, mean_term, 1e-3f});
        const Estimate estimate = level_estimate(terms, static_cast<float>(levels.factors.add),
                                                 static_cast<float>(levels.factors.scale), 17.0);
        EXPECT_NEAR(estimate.value, expected, 1e-4);
        EXPECT_EQ(estimate.error, 0);
    }
}

}  // namespace
}  // namespace pagoda::rabitq

// Codes: accuracy by number of bits, the level step and kappa against measured optima, factors
// against their formulas, and the numeric traps.
#include "core/rabitq/encode.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/rabitq/group.h"
#include "test/unit/rabitq/support.h"

namespace pagoda::rabitq {
namespace {

using test::dot;
using test::gaussian_vector;
using test::Moments;
using test::Vector;

struct Coded {
    std::vector<uint8_t> bits;
    SignCode signs;
};

Coded code_signs(const EncodeInput& input) {
    Coded coded;
    coded.bits.assign(input.z.size() / 8, 0xEE);
    coded.signs = encode_signs(input, coded.bits);
    return coded;
}

struct LevelCoded {
    std::vector<uint8_t> code;
    LevelCode levels;
};

LevelCoded code_levels(const EncodeInput& input, const SignCode& signs, uint32_t refine_bits) {
    LevelCoded coded;
    coded.code.assign(level_code_bytes(input.z.size(), refine_bits), 0xEE);
    coded.levels = encode_levels(input, signs, refine_bits, coded.code);
    return coded;
}

double code_norm2(const std::vector<uint8_t>& code, uint32_t refine_bits, size_t dim) {
    double sum = 0;
    for (size_t i = 0; i < dim; ++i) {
        const int level = refine_bits == 8 ? code[i] : code[i / 2] >> (i % 2 * 4) & 15;
        const double y = level - (refine_bits == 8 ? 127.5 : 7.5);
        sum += y * y;
    }
    return sum;
}

TEST(Encode, mean_cosine_of_code_and_vector_is_that_of_theory) {
    constexpr size_t dim = 768;
    Random random(401);
    const Vector zero(dim, 0.0f);
    Moments one, four, eight;
    for (int round = 0; round < 300; ++round) {
        const Vector z = gaussian_vector(random, dim);
        const EncodeInput input{Metric::l2, z, zero, {}};
        const double norm = std::sqrt(dot(z, z));
        const Coded coded = code_signs(input);
        one.add(sign_code_dot(coded.bits, z) / norm / std::sqrt(dim / 4.0));
        for (uint32_t bits : {4u, 8u}) {
            const LevelCoded level = code_levels(input, coded.signs, bits);
            const double length = std::sqrt(code_norm2(level.code, bits, dim));
            (bits == 4 ? four : eight).add(level_code_dot(level.code, bits, z) / norm / length);
        }
    }
    EXPECT_NEAR(one.mean(), 0.7980, 0.003);
    EXPECT_NEAR(four.mean(), 0.9942, 0.0005);
    EXPECT_NEAR(eight.mean(), 0.99996, 0.0005);
    EXPECT_GT(eight.mean(), 0.99990);
    EXPECT_LE(eight.mean(), 1.0);
}

// Mean of 1 - cosine^2 when the step is changed by a factor, over the same vectors.
double mean_error(const std::vector<Vector>& unit_vectors, double t, int half_levels) {
    double sum = 0;
    for (const Vector& v : unit_vectors) {
        double vy = 0, yy = 0;
        for (float x : v) {
            const double level = std::floor(t * std::fabs(double{x}));
            const double y = std::min(level, half_levels - 1.0) + 0.5;
            vy += std::fabs(double{x}) * y;
            yy += y * y;
        }
        sum += 1 - vy * vy / yy;
    }
    return sum / static_cast<double>(unit_vectors.size());
}

TEST(Encode, the_level_step_is_near_the_measured_optimum) {
    Random random(402);
    for (size_t dim : {64, 128, 768, 2000}) {
        std::vector<Vector> vectors;
        for (size_t i = 0; i < 200000 / dim; ++i) {
            vectors.push_back(gaussian_vector(random, dim));
            test::normalise(vectors.back());
        }
        for (uint32_t bits : {4u, 8u}) {
            const int half_levels = 1 << (bits - 1);
            const double t = level_factor(dim, bits);
            const double ours = mean_error(vectors, t, half_levels);
            double best = ours;
            for (double change = 0.9; change <= 1.1; change += 0.01) {
                best = std::min(best, mean_error(vectors, t * change, half_levels));
            }
            EXPECT_LT(ours, best * 1.03) << dim << " " << bits;
        }
    }
}

TEST(Encode, kappa_is_the_mean_of_error_over_scale) {
    Random random(403);
    for (size_t dim : {64, 128, 256, 768, 2000}) {
        const Vector zero(dim, 0.0f);
        Moments ratio[3];
        for (size_t i = 0; i < 100000 / dim; ++i) {
            const Vector z = gaussian_vector(random, dim, 0.01 + static_cast<double>(i));
            const EncodeInput input{Metric::l2, z, zero, {}};
            const Coded coded = code_signs(input);
            ratio[0].add(coded.signs.error / coded.signs.factors.scale);
            const LevelCode four = code_levels(input, coded.signs, 4).levels;
            const LevelCode eight = code_levels(input, coded.signs, 8).levels;
            ratio[1].add(four.error / four.factors.scale);
            ratio[2].add(eight.error / eight.factors.scale);
        }
        EXPECT_NEAR(ratio[0].mean() / error_per_scale(dim, 1), 1, 0.015) << dim;
        EXPECT_NEAR(ratio[1].mean() / error_per_scale(dim, 4), 1, 0.015) << dim;
        EXPECT_NEAR(ratio[2].mean() / error_per_scale(dim, 8), 1, 0.025) << dim;
        const double spread = ratio[0].deviation() / ratio[0].mean();
        EXPECT_LT(spread, 0.8 / std::sqrt(static_cast<double>(dim))) << dim;
    }
}

TEST(Encode, factors_follow_their_formulas) {
    Random random(404);
    for (size_t dim : {64, 768}) {
        const Vector z = gaussian_vector(random, dim), c = gaussian_vector(random, dim, 0.7);
        const Vector mean = gaussian_vector(random, dim, 2);
        const Vector r = test::minus(z, c);
        const double n2 = dot(r, r);
        for (Metric metric : {Metric::l2, Metric::inner_product}) {
            const EncodeInput input{metric, z, c, mean};
            const Coded coded = code_signs(input);
            const double s = n2 / sign_code_dot(coded.bits, r);
            const double y_dot_c = sign_code_dot(coded.bits, c);
            const double l2_add = n2 + 2 * s * y_dot_c;
            const double ip_add = -(dot(z, mean) + dot(r, c) - s * y_dot_c);
            const double add = metric == Metric::l2 ? l2_add : ip_add;
            EXPECT_NEAR(coded.signs.factors.scale, s, 1e-6 * s);
            EXPECT_NEAR(coded.signs.factors.add, add, 1e-5 * n2);
            EXPECT_NEAR(coded.signs.residual_norm2, n2, 1e-6 * n2);
            EXPECT_NEAR(coded.signs.norm2, dot(z, z), 1e-9 * n2);
            for (size_t i = 0; i < dim; ++i) {
                ASSERT_EQ(coded.bits[i / 8] >> (i % 8) & 1, r[i] >= 0 ? 1 : 0);
            }
            for (uint32_t bits : {4u, 8u}) {
                const LevelCoded level = code_levels(input, coded.signs, bits);
                const double expected = metric == Metric::l2 ? dot(z, z) : -dot(z, mean);
                EXPECT_NEAR(level.levels.factors.add, expected, 1e-9 * (n2 + dot(mean, mean)));
                const double scale = dot(z, z) / level_code_dot(level.code, bits, z);
                EXPECT_NEAR(level.levels.factors.scale, scale, 1e-9 * scale);
            }
        }
    }
}

TEST(EncodeTraps, a_row_equal_to_its_centroid_has_an_exact_estimate) {
    constexpr size_t dim = 64;
    Random random(405);
    const Vector z = gaussian_vector(random, dim), mean = gaussian_vector(random, dim);
    const Coded l2 = code_signs({Metric::l2, z, z, {}});
    EXPECT_EQ(l2.signs.factors.scale, 0);
    EXPECT_EQ(l2.signs.factors.add, 0);
    EXPECT_EQ(l2.signs.error, 0);
    EXPECT_EQ(l2.bits, std::vector<uint8_t>(dim / 8, 0));
    const Coded ip = code_signs({Metric::inner_product, z, z, mean});
    EXPECT_EQ(ip.signs.factors.scale, 0);
    EXPECT_NEAR(ip.signs.factors.add, -dot(z, mean), 1e-9);
}

TEST(EncodeTraps, a_zero_vector_has_level_codes_of_the_smallest_magnitude) {
    constexpr size_t dim = 64;
    for (float value : {0.0f, -0.0f, 1e-38f}) {
        const Vector z(dim, value), zero(dim, 0.0f);
        const EncodeInput input{Metric::l2, z, zero, {}};
        const SignCode signs = code_signs(input).signs;
        for (uint32_t bits : {4u, 8u}) {
            const LevelCoded level = code_levels(input, signs, bits);
            EXPECT_EQ(level.levels.factors.scale, 0);
            EXPECT_LT(level.levels.factors.add, 1e-70);
            EXPECT_EQ(level.levels.error, 0);
            EXPECT_EQ(level.code, std::vector<uint8_t>(level.code.size(), bits == 8 ? 128 : 0x88));
        }
    }
}

TEST(EncodeTraps, small_and_large_components_keep_their_relative_precision) {
    constexpr size_t dim = 128;
    Random random(406);
    const Vector base = gaussian_vector(random, dim), zero(dim, 0.0f);
    const SignCode expected = code_signs({Metric::l2, base, zero, {}}).signs;
    for (double scale : {0x1p-66, 0x1p-33, 0x1p30, 0x1p53}) {
        Vector z = base;
        for (float& v : z) v = static_cast<float>(v * scale);
        const EncodeInput input{Metric::l2, z, zero, {}};
        const Coded coded = code_signs(input);
        EXPECT_NEAR(coded.signs.factors.scale / scale, expected.factors.scale, 1e-9);
        EXPECT_NEAR(coded.signs.factors.add / scale / scale, expected.factors.add, 1e-9);
        EXPECT_NEAR(coded.signs.error / scale, expected.error, 1e-9);
        EXPECT_TRUE(codable(coded.signs.factors));
        const LevelCode level = code_levels(input, coded.signs, 8).levels;
        EXPECT_TRUE(std::isfinite(level.error) && level.error >= 0);
        EXPECT_GT(level.factors.scale, 0);
    }
}

TEST(EncodeTraps, what_cannot_be_stored_is_not_codable) {
    constexpr size_t dim = 64;
    constexpr float infinity = std::numeric_limits<float>::infinity();
    const Vector zero(dim, 0.0f);
    for (float bad : {1e19f, 3e38f, infinity, -infinity, std::nanf("")}) {
        Vector z(dim, 1.0f);
        z[17] = bad;
        const EncodeInput input{Metric::l2, z, zero, {}};
        const Coded coded = code_signs(input);
        EXPECT_FALSE(codable(coded.signs.factors)) << bad;
        const LevelCoded level = code_levels(input, coded.signs, 8);
        EXPECT_FALSE(codable(level.levels.factors)) << bad;
    }
    EXPECT_TRUE(codable({factor_max, 0}));
    EXPECT_TRUE(codable({-factor_max, factor_max}));
    EXPECT_FALSE(codable({0, 1e38}));
    EXPECT_FALSE(codable({std::nan(""), 0}));
}

TEST(EncodeTraps, a_code_that_points_exactly_at_its_vector_has_no_error) {
    constexpr size_t dim = 64;
    for (float value : {1.0f, -0.3f, 1e-7f, 12345.678f}) {
        const Vector z(dim, value), zero(dim, 0.0f);
        const EncodeInput input{Metric::l2, z, zero, {}};
        const Coded coded = code_signs(input);
        EXPECT_NEAR(coded.signs.error / std::fabs(value), 0, 1e-6);
        for (uint32_t bits : {4u, 8u}) {
            const LevelCode level = code_levels(input, coded.signs, bits).levels;
            EXPECT_FALSE(std::isnan(level.error));
            EXPECT_NEAR(level.error / std::fabs(value), 0, 1e-6);
        }
    }
}

}  // namespace
}  // namespace pagoda::rabitq

// The rotation keeps lengths and angles, comes back, spreads single coordinates, and gives the same
// bits on every instruction set.
#include <gtest/gtest.h>

#include <bit>

#include "core/simd/kernels.h"
#include "test/unit/rabitq/support.h"

namespace pagoda::rabitq {
namespace {

using test::dot;
using test::gaussian_vector;
using test::OwnedRotation;
using test::Vector;

constexpr size_t dims[] = {64, 80, 112, 128, 256, 768, 1024, 1536, 2000, 4096, 16000};

TEST(Rotation, padded_dimension_is_a_multiple_of_16_and_at_least_64) {
    EXPECT_EQ(padded_dimension(1), 64u);
    EXPECT_EQ(padded_dimension(64), 64u);
    EXPECT_EQ(padded_dimension(65), 80u);
    EXPECT_EQ(padded_dimension(100), 112u);
    EXPECT_EQ(padded_dimension(768), 768u);
    EXPECT_EQ(padded_dimension(16000), 16000u);
}

TEST(Rotation, keeps_norms_and_inner_products) {
    Random random(301);
    for (size_t dim : dims) {
        const OwnedRotation rotation(dim, dim);
        for (int round = 0; round < 10; ++round) {
            const Vector x = gaussian_vector(random, dim), y = gaussian_vector(random, dim);
            const Vector rx = rotation(x), ry = rotation(y);
            const double scale = std::sqrt(dot(x, x) * dot(y, y));
            EXPECT_NEAR(dot(rx, rx), dot(x, x), 1e-5 * dot(x, x)) << dim;
            EXPECT_NEAR(dot(rx, ry), dot(x, y), 1e-5 * scale) << dim;
        }
    }
}

TEST(Rotation, the_way_back_restores_the_vector) {
    Random random(302);
    for (size_t dim : dims) {
        const OwnedRotation rotation(dim, 7);
        const Vector x = gaussian_vector(random, dim);
        Vector y = rotation(x);
        rotate_back(rotation.rotation, y);
        const Vector difference = test::minus(x, y);
        EXPECT_LT(dot(difference, difference), 1e-10 * dot(x, x)) << dim;
        for (size_t i = 0; i < dim; ++i) EXPECT_NEAR(x[i], y[i], 2e-5) << dim;
    }
}

TEST(Rotation, is_determined_by_its_seed) {
    Random random(303);
    const Vector x = gaussian_vector(random, 768);
    const Vector first = OwnedRotation(768, 1)(x), again = OwnedRotation(768, 1)(x);
    const Vector other = OwnedRotation(768, 2)(x);
    EXPECT_EQ(first, again);
    EXPECT_LT(std::fabs(dot(first, other)), 0.2 * dot(x, x));
}

// A unit vector has to become one with coordinates like those of a random direction: none far above
// 1 / sqrt(D), and not concentrated (fourth moment near the normal 3 / D^2; the overlapping halves
// of dimensions that are no power of two leave single coordinates somewhat more lumpy).
TEST(Rotation, spreads_every_single_coordinate) {
    for (size_t dim : {64, 80, 112, 128, 768, 1040, 2000}) {
        const OwnedRotation rotation(dim, 11);
        test::Moments fourth;
        for (size_t i = 0; i < dim; ++i) {
            Vector unit(dim, 0.0f);
            unit[i] = 1;
            for (float v : rotation(unit)) {
                const double scaled = double{v} * std::sqrt(static_cast<double>(dim));
                ASSERT_LT(std::fabs(scaled), 8.0) << dim << " " << i;
                fourth.add(scaled * scaled * scaled * scaled);
            }
        }
        EXPECT_GT(fourth.mean(), 2.5) << dim;
        EXPECT_LT(fourth.mean(), 3.5) << dim;
    }
}

TEST(Rotation, gives_the_same_bits_on_every_level) {
    Random random(304);
    const simd::Level before = simd::kernels().level;
    for (size_t dim : dims) {
        const OwnedRotation rotation(dim, 5);
        const Vector x = gaussian_vector(random, dim);
        ASSERT_TRUE(simd::force_level(simd::Level::scalar));
        const Vector expected = rotation(x);
        for (simd::Level level : {simd::Level::avx2, simd::Level::neon}) {
            if (!simd::force_level(level)) continue;
            const Vector y = rotation(x);
            for (size_t i = 0; i < dim; ++i) {
                ASSERT_EQ(std::bit_cast<uint32_t>(y[i]), std::bit_cast<uint32_t>(expected[i]));
            }
        }
    }
    ASSERT_TRUE(simd::force_level(before));
}

}  // namespace
}  // namespace pagoda::rabitq

// Half conversions, exhaustively: every half against its definition, and every place between two
// neighbouring halves where rounding could go wrong.
#include "core/vector/half.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/base/random.h"

namespace pagoda {
namespace {

// The value of a half by the definition of the format.
double value_of(Half half) {
    const int exponent = half.bits >> 10 & 31;
    const int fraction = half.bits & 1023;
    const double sign = half.bits >> 15 != 0 ? -1 : 1;
    if (exponent == 0) return sign * std::ldexp(fraction, -24);
    return sign * std::ldexp(1024 + fraction, exponent - 25);
}

constexpr uint16_t infinity_bits = 0x7C00;

TEST(Half, every_finite_half_becomes_the_float_of_the_same_value_and_comes_back) {
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
        const Half half{static_cast<uint16_t>(bits)};
        if (is_nan(half) || is_infinite(half)) continue;
        ASSERT_EQ(to_float(half), value_of(half)) << bits;
        ASSERT_EQ(std::signbit(to_float(half)), bits >= 0x8000) << bits;
        ASSERT_EQ(to_half(to_float(half)), half) << bits;
    }
}

TEST(Half, floats_between_two_halves_round_to_the_nearer_and_ties_to_the_even_one) {
    for (uint32_t bits = 0; bits < infinity_bits; ++bits) {
        const Half lower{static_cast<uint16_t>(bits)};
        const Half upper{static_cast<uint16_t>(bits + 1)};
        // The value after the largest finite half would be 2^16, were there one more exponent.
        const double above = bits + 1 == infinity_bits ? 65536 : value_of(upper);
        const auto middle = static_cast<float>((value_of(lower) + above) / 2);
        const float below_middle = std::nextafter(middle, 0.0f);
        const float above_middle = std::nextafter(middle, 1e6f);
        ASSERT_EQ(to_half(below_middle), lower) << bits;
        ASSERT_EQ(to_half(middle), bits % 2 == 0 ? lower : upper) << bits;
        ASSERT_EQ(to_half(above_middle), upper) << bits;
        ASSERT_EQ(to_half(-below_middle).bits, lower.bits | 0x8000) << bits;
        ASSERT_EQ(to_half(-above_middle).bits, upper.bits | 0x8000) << bits;
    }
}

TEST(Half, what_is_too_large_becomes_infinite_and_what_is_too_small_becomes_a_signed_zero) {
    for (const float large : {65520.0f, 65536.0f, 1e10f, std::numeric_limits<float>::max()}) {
        EXPECT_EQ(to_half(large).bits, infinity_bits) << large;
        EXPECT_EQ(to_half(-large).bits, infinity_bits | 0x8000) << large;
    }
    for (const float small : {0.0f, 0x1p-25f, 1e-30f, std::numeric_limits<float>::denorm_min()}) {
        EXPECT_EQ(to_half(small).bits, 0) << small;
        EXPECT_EQ(to_half(-small).bits, 0x8000) << small;
    }
    EXPECT_EQ(to_half(std::nextafter(0x1p-25f, 1.0f)).bits, 1);
}

TEST(Half, infinities_and_nans_stay_what_they_are) {
    const float infinity = std::numeric_limits<float>::infinity();
    EXPECT_TRUE(is_infinite(to_half(infinity)));
    EXPECT_TRUE(is_infinite(to_half(-infinity)));
    EXPECT_EQ(to_float(Half{infinity_bits}), infinity);
    EXPECT_EQ(to_float(Half{infinity_bits | 0x8000}), -infinity);
    for (const uint32_t bits : {0x7F800001u, 0x7FC00000u, 0xFF800001u, 0x7FFFFFFFu}) {
        EXPECT_TRUE(is_nan(to_half(std::bit_cast<float>(bits)))) << bits;
    }
    for (uint32_t bits = infinity_bits + 1u; bits < 0x8000; ++bits) {
        ASSERT_TRUE(is_nan(Half{static_cast<uint16_t>(bits)}));
        ASSERT_TRUE(std::isnan(to_float(Half{static_cast<uint16_t>(bits)})));
    }
}

TEST(Half, zero_has_two_bit_patterns) {
    EXPECT_TRUE(is_zero(Half{0}));
    EXPECT_TRUE(is_zero(Half{0x8000}));
    EXPECT_FALSE(is_zero(Half{1}));
}

}  // namespace
}  // namespace pagoda

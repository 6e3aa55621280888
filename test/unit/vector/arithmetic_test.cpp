// Arithmetic, order, normalisation, sign bits and distances of both element types. Values are small
// integers where a sum has to be exact on every kernel level.
#include "core/vector/arithmetic.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "core/base/bits.h"
#include "core/base/random.h"
#include "core/vector/distance.h"

namespace pagoda {
namespace {

template <class E>
std::vector<E> elements(const std::vector<float>& values) {
    std::vector<E> result;
    for (const float value : values) result.push_back(to_element<E>(value));
    return result;
}

template <class E>
std::vector<float> floats(const std::vector<E>& values) {
    std::vector<float> result;
    for (const E value : values) result.push_back(to_float(value));
    return result;
}

template <class E>
std::span<const E> view(const std::vector<E>& values) {
    return values;
}

std::vector<float> random_integers(Random& random, size_t count) {
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(random.below(17)) - 8;
    return values;
}

template <class E>
class ElementTest : public testing::Test {};
using ElementTypes = testing::Types<float, Half>;
TYPED_TEST_SUITE(ElementTest, ElementTypes);

TYPED_TEST(ElementTest, adds_subtracts_and_multiplies_across_the_pieces) {
    Random random(31);
    for (const size_t count : {1, 2, 255, 256, 257, 1000}) {
        const auto x = random_integers(random, count), y = random_integers(random, count);
        const auto a = elements<TypeParam>(x), b = elements<TypeParam>(y);
        std::vector<TypeParam> sum(count), difference(count), product(count);
        EXPECT_EQ(add(view(a), view(b), std::span(sum)), RangeFault::none);
        EXPECT_EQ(subtract(view(a), view(b), std::span(difference)), RangeFault::none);
        EXPECT_EQ(multiply(view(a), view(b), std::span(product)), RangeFault::none);
        for (size_t i = 0; i < count; ++i) {
            ASSERT_EQ(to_float(sum[i]), x[i] + y[i]);
            ASSERT_EQ(to_float(difference[i]), x[i] - y[i]);
            ASSERT_EQ(to_float(product[i]), x[i] * y[i]);
        }
    }
}

TYPED_TEST(ElementTest, the_target_of_arithmetic_may_be_a_source) {
    auto a = elements<TypeParam>({1, 2, 3});
    const auto b = elements<TypeParam>({4, 5, 6});
    EXPECT_EQ(multiply(view(a), view(b), std::span(a)), RangeFault::none);
    EXPECT_EQ(floats(a), (std::vector<float>{4, 10, 18}));
}

TYPED_TEST(ElementTest, orders_by_elements_then_by_length_and_takes_both_zeros_as_equal) {
    const auto order = [](const std::vector<float>& a, const std::vector<float>& b) {
        return compare(view(elements<TypeParam>(a)), view(elements<TypeParam>(b)));
    };
    EXPECT_EQ(order({1, 2}, {1, 2}), 0);
    EXPECT_EQ(order({0}, {-0.0f}), 0);
    EXPECT_EQ(order({1, 2}, {1, 3}), -1);
    EXPECT_EQ(order({2}, {1, 9}), 1);
    EXPECT_EQ(order({1}, {1, -9}), -1);
    EXPECT_EQ(order({1, -9}, {1}), 1);
    EXPECT_EQ(order({-2}, {-1}), -1);
}

TYPED_TEST(ElementTest, sign_bits_start_at_the_highest_bit_and_padding_is_zero) {
    for (size_t count = 1; count <= 20; ++count) {
        std::vector<float> x(count);
        for (size_t i = 0; i < count; ++i) x[i] = i % 3 == 0 ? 1.0f : (i % 3 == 1 ? -1.0f : 0.0f);
        std::vector<uint8_t> bytes(divide_up(count, 8), 0xFF);
        quantize_signs(view(elements<TypeParam>(x)), std::span(bytes));
        for (size_t i = 0; i < bytes.size() * 8; ++i) {
            const bool bit = (bytes[i / 8] >> (7 - i % 8) & 1) != 0;
            ASSERT_EQ(bit, i < count && x[i] > 0) << count << " " << i;
        }
    }
}

TYPED_TEST(ElementTest, normalising_gives_length_one_and_keeps_a_zero_vector) {
    std::vector<TypeParam> result(2);
    normalize(view(elements<TypeParam>({3, 4})), std::span(result));
    EXPECT_EQ(result, elements<TypeParam>({0.6f, 0.8f}));
    normalize(view(elements<TypeParam>({-0.0f, 0})), std::span(result));
    EXPECT_EQ(result, elements<TypeParam>({0, 0}));
    normalize(view(elements<TypeParam>({6e-8f, 0})), std::span(result));
    EXPECT_EQ(result, elements<TypeParam>({1, 0}));
}

TYPED_TEST(ElementTest, distances_agree_with_their_definitions) {
    Random random(32);
    for (size_t count = 1; count <= 100; ++count) {
        const auto x = random_integers(random, count), y = random_integers(random, count);
        double squares = 0, products = 0, absolutes = 0, norm_x = 0, norm_y = 0;
        for (size_t i = 0; i < count; ++i) {
            squares += (x[i] - y[i]) * (x[i] - y[i]);
            products += x[i] * y[i];
            absolutes += std::abs(x[i] - y[i]);
            norm_x += x[i] * x[i];
            norm_y += y[i] * y[i];
        }
        const auto a = elements<TypeParam>(x), b = elements<TypeParam>(y);
        EXPECT_EQ(l2_squared(view(a), view(b)), squares);
        EXPECT_EQ(dot(view(a), view(b)), products);
        EXPECT_EQ(l1(view(a), view(b)), absolutes);
        EXPECT_EQ(norm(view(a)), std::sqrt(norm_x));
        if (norm_x == 0 || norm_y == 0) {
            EXPECT_TRUE(std::isnan(cosine(view(a), view(b))));
        } else {
            EXPECT_EQ(cosine(view(a), view(b)), 1 - products / std::sqrt(norm_x * norm_y));
        }
    }
}

TYPED_TEST(ElementTest, cosine_and_angle_stay_within_their_bounds) {
    for (const float x : {0.1f, 0.3f, 0.7f}) {
        const auto a = elements<TypeParam>({x, x, x}), b = elements<TypeParam>({-x, -x, -x});
        EXPECT_GE(cosine(view(a), view(a)), 0);
        EXPECT_NEAR(cosine(view(a), view(a)), 0, 1e-6);
        EXPECT_LE(cosine(view(a), view(b)), 2);
        EXPECT_NEAR(cosine(view(a), view(b)), 2, 1e-6);
    }
    const auto two = elements<TypeParam>({2, 0}), one = elements<TypeParam>({1, 0});
    const auto other = elements<TypeParam>({0, 1}), back = elements<TypeParam>({-2, 0});
    EXPECT_EQ(spherical(view(two), view(one)), 0);
    EXPECT_EQ(spherical(view(two), view(back)), 1);
    EXPECT_EQ(spherical(view(one), view(other)), 0.5);
}

TEST(Arithmetic, the_first_overflow_or_underflow_is_reported) {
    const float largest = std::numeric_limits<float>::max();
    std::vector<float> result(2);
    const std::vector<float> large = {1, largest}, mixed = {1e-38f, largest}, zero = {0, 0};
    EXPECT_EQ(add(view(large), view(large), std::span(result)), RangeFault::overflow);
    EXPECT_EQ(subtract(view(large), view(large), std::span(result)), RangeFault::none);
    EXPECT_EQ(multiply(view(mixed), view(mixed), std::span(result)), RangeFault::underflow);
    EXPECT_EQ(multiply(view(large), view(mixed), std::span(result)), RangeFault::overflow);
    EXPECT_EQ(multiply(view(zero), view(mixed), std::span(result)), RangeFault::none);
    // Far from the first piece.
    std::vector<float> many(1000, 1.0f), target(1000);
    many[999] = largest;
    EXPECT_EQ(add(view(many), view(many), std::span(target)), RangeFault::overflow);
}

TEST(Arithmetic, halves_overflow_at_the_rounding_limit_and_underflow_to_zero) {
    const auto largest = elements<Half>({65504});
    const auto fits = elements<Half>({15}), exceeds = elements<Half>({16});
    const auto small = elements<Half>({6e-8f}), quarter = elements<Half>({0.25f});
    std::vector<Half> result(1);
    EXPECT_EQ(add(view(largest), view(fits), std::span(result)), RangeFault::none);
    EXPECT_EQ(result, largest);
    EXPECT_EQ(add(view(largest), view(exceeds), std::span(result)), RangeFault::overflow);
    EXPECT_EQ(multiply(view(small), view(quarter), std::span(result)), RangeFault::underflow);
}

TEST(Arithmetic, halves_are_rounded_correctly_for_random_operands) {
    Random random(33);
    std::vector<Half> a(1), b(1), result(1);
    for (int i = 0; i < 100000; ++i) {
        a[0].bits = static_cast<uint16_t>(random.next());
        b[0].bits = static_cast<uint16_t>(random.next());
        if (finiteness(a[0]) != Finiteness::finite || finiteness(b[0]) != Finiteness::finite) {
            continue;
        }
        // Sum and product of two halves are exact in f64; two roundings would differ if one did.
        const double x = to_float(a[0]), y = to_float(b[0]);
        for (const bool is_sum : {true, false}) {
            const double exact = is_sum ? x + y : x * y;
            const RangeFault fault = is_sum ? add(view(a), view(b), std::span(result))
                                            : multiply(view(a), view(b), std::span(result));
            if (fault != RangeFault::none) continue;
            const double error = std::abs(to_float(result[0]) - exact);
            for (const int step : {-1, 1}) {
                const Half other{static_cast<uint16_t>(result[0].bits + step)};
                if ((other.bits & 0x7FFF) >= half_exponent_mask) continue;
                ASSERT_LE(error, std::abs(to_float(other) - exact)) << x << " " << y;
            }
        }
    }
}

TEST(Arithmetic, norms_are_summed_without_overflow_or_underflow) {
    const float largest = std::numeric_limits<float>::max();
    const float smallest = std::numeric_limits<float>::denorm_min();
    EXPECT_DOUBLE_EQ(norm(view(std::vector<float>{largest, largest})), std::sqrt(2.0) * largest);
    EXPECT_DOUBLE_EQ(norm(view(std::vector<float>{smallest})), smallest);
    EXPECT_EQ(norm(view(std::vector<float>{0, -0.0f})), 0);
}

TEST(Arithmetic, distances_that_exceed_the_range_of_floats_are_infinite) {
    const std::vector<float> a = {3e38f}, b = {-3e38f};
    EXPECT_EQ(l2_squared(view(a), view(b)), std::numeric_limits<double>::infinity());
    EXPECT_EQ(l1(view(a), view(b)), std::numeric_limits<double>::infinity());
    EXPECT_EQ(dot(view(a), view(b)), -std::numeric_limits<double>::infinity());
    EXPECT_TRUE(std::isnan(cosine(view(a), view(b))));
}

TEST(Arithmetic, conversion_to_halves_names_the_first_value_that_does_not_fit) {
    std::vector<float> values(300, 1.5f);
    std::vector<Half> halves(300);
    EXPECT_EQ(convert(view(values), std::span(halves)), values.size());
    values[299] = 65520;
    values[270] = -1e30f;
    EXPECT_EQ(convert(view(values), std::span(halves)), 270u);
    std::vector<float> back(300);
    convert(view(halves), std::span(back));
    EXPECT_EQ(back[0], 1.5f);
    EXPECT_EQ(back[299], std::numeric_limits<float>::infinity());
}

TEST(Arithmetic, array_conversions_agree_with_those_of_one_element) {
    Random random(34);
    std::vector<float> values(4096), back(4096);
    for (float& value : values) {
        const auto exponent = static_cast<int>(random.below(50)) - 30;
        value = std::ldexp(static_cast<float>(random.unit()) - 0.5f, exponent);
    }
    std::vector<Half> halves(values.size());
    convert(view(values), std::span(halves));
    convert(view(halves), std::span(back));
    for (size_t i = 0; i < values.size(); ++i) {
        ASSERT_EQ(halves[i], to_half(values[i])) << values[i];
        ASSERT_EQ(back[i], to_float(halves[i]));
    }
}

}  // namespace
}  // namespace pagoda

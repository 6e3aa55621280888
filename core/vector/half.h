// IEEE 754 half precision (binary16) as a value: 1 sign bit, 5 exponent bits, 10 fraction bits. All
// 65,536 bit patterns are valid; the largest finite value is 65,504, the smallest subnormal 2^-24.
// These are the one-element conversions; arrays go through the kernel table (core/simd/kernels.h),
// which rounds the same way.
#pragma once

#include <bit>
#include <cstdint>

namespace pagoda {

struct Half {
    uint16_t bits;

    friend bool operator==(Half, Half) = default;  // compares bits: -0 differs from 0
};
static_assert(sizeof(Half) == 2);

inline constexpr uint16_t half_exponent_mask = 0x7C00;
inline constexpr uint16_t half_fraction_mask = 0x03FF;

constexpr bool is_nan(Half value) {
    return (value.bits & half_exponent_mask) == half_exponent_mask &&
           (value.bits & half_fraction_mask) != 0;
}

constexpr bool is_infinite(Half value) {
    return (value.bits & 0x7FFF) == half_exponent_mask;
}

constexpr bool is_zero(Half value) {
    return (value.bits & 0x7FFF) == 0;
}

// Exact: every half is a float.
constexpr float to_float(Half value) {
    const uint32_t sign = static_cast<uint32_t>(value.bits & 0x8000) << 16;
    const uint32_t exponent = (value.bits & half_exponent_mask) >> 10;
    const uint32_t fraction = value.bits & half_fraction_mask;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7F800000u | fraction << 13);
    if (exponent != 0) return std::bit_cast<float>(sign | (exponent + 112) << 23 | fraction << 13);
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return std::bit_cast<float>(sign | std::bit_cast<uint32_t>(magnitude));
}

// Rounds to nearest, ties to even. 65,520 and more become infinity; NaN stays NaN (quiet, with the
// upper bits of its payload); the sign is kept.
constexpr Half to_half(float value) {
    const auto bits = std::bit_cast<uint32_t>(value);
    const auto sign = static_cast<uint16_t>(bits >> 16 & 0x8000);
    const uint32_t magnitude = bits & 0x7FFFFFFFu;
    uint32_t result;
    if (magnitude > 0x7F800000u) {
        result = 0x7E00 | (magnitude >> 13 & half_fraction_mask);
    } else if (magnitude >= 0x477FF000u) {  // 65,520: halfway between the largest half and 2^16
        result = half_exponent_mask;
    } else if (magnitude < 0x38800000u) {
        // Below 2^-14 the result is subnormal, a multiple of 2^-24. That is the spacing of floats
        // in [0.5, 1), so the addition rounds at the wanted place and leaves the multiple in the
        // low bits of the sum.
        result = std::bit_cast<uint32_t>(std::bit_cast<float>(magnitude) + 0.5f) - 0x3F000000u;
    } else {
        // Moving the exponent bias and adding just below half a unit, or exactly half when the
        // kept part is odd, rounds with a carry into the exponent where needed.
        result = (magnitude - (112u << 23) + 0x0FFF + (magnitude >> 13 & 1)) >> 13;
    }
    return Half{static_cast<uint16_t>(sign | result)};
}

}  // namespace pagoda

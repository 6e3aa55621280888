// IEEE half precision by integer arithmetic, for the scalar kernels and for single values. It gives
// the same bits as the conversion instructions of x86 (F16C) and ARM: round to nearest even,
// subnormals kept, overflow to infinity, NaN made quiet with the top of its payload.
// Not for instruction-set files: inline functions must not be compiled with their flags.
#pragma once

#include <bit>
#include <cstdint>

namespace pagoda::simd {

constexpr float f32_from_f16(uint16_t half) {
    const uint32_t sign = static_cast<uint32_t>(half & 0x8000u) << 16;
    const uint32_t exponent = (half >> 10) & 0x1Fu;
    const uint32_t mantissa = half & 0x3FFu;
    if (exponent == 0) {
        const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
        return sign != 0 ? -magnitude : magnitude;
    }
    if (exponent == 31) {
        const uint32_t quiet = mantissa != 0 ? 0x00400000u : 0u;
        return std::bit_cast<float>(sign | 0x7F800000u | quiet | (mantissa << 13));
    }
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (mantissa << 13));
}

// value / 2^shift rounded to nearest, ties to even; 1 <= shift <= 31.
constexpr uint32_t shift_right_to_even(uint32_t value, uint32_t shift) {
    const uint32_t half = 1u << (shift - 1);
    const uint32_t rest = value & ((1u << shift) - 1);
    const uint32_t quotient = value >> shift;
    const bool up = rest > half || (rest == half && (quotient & 1u) != 0);
    return quotient + (up ? 1u : 0u);
}

constexpr uint16_t f16_from_f32(float value) {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    const uint32_t sign = (bits >> 16) & 0x8000u;
    const uint32_t magnitude = bits & 0x7FFFFFFFu;
    uint32_t half = 0;
    if (magnitude > 0x7F800000u) {
        half = 0x7E00u | ((magnitude >> 13) & 0x3FFu);
    } else if (magnitude >= 0x47800000u) {  // 65536 and above, infinity included
        half = 0x7C00u;
    } else if (magnitude >= 0x38800000u) {  // normal halves; a carry may run into infinity
        half = shift_right_to_even(magnitude - 0x38000000u, 13);
    } else if (magnitude >= 0x33000000u) {  // from 2^-25 on: subnormal halves, unit 2^-24
        const uint32_t exponent = magnitude >> 23;
        half = shift_right_to_even((magnitude & 0x7FFFFFu) | 0x800000u, 126 - exponent);
    }
    return static_cast<uint16_t>(sign | half);
}

}  // namespace pagoda::simd

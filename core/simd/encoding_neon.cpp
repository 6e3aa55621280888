// Making codes and lookup tables with AArch64 NEON; sums in f64, two lanes.
#if defined(__aarch64__)

#include <arm_neon.h>

#include "core/simd/levels.h"

namespace pagoda::simd {
namespace {

float64x2_t low_double(float32x4_t v) {
    return vcvt_f64_f32(vget_low_f32(v));
}
float64x2_t high_double(float32x4_t v) {
    return vcvt_high_f64_f32(v);
}

// sum + a * b over four lanes.
float64x2_t add_products(float64x2_t sum, float32x4_t a, float32x4_t b) {
    sum = vfmaq_f64(sum, low_double(a), low_double(b));
    return vfmaq_f64(sum, high_double(a), high_double(b));
}

float64x2_t add_values(float64x2_t sum, float32x4_t v) {
    return vaddq_f64(sum, vaddq_f64(low_double(v), high_double(v)));
}

void residual_sums(const float* z, const float* c, const float* m, size_t n, uint8_t* bits,
                   Kernels::ResidualSums* sums) {
    const uint32_t lane_bits[4] = {1, 2, 4, 8};
    const uint32x4_t weights = vld1q_u32(lane_bits);
    const uint32x4_t sign = vdupq_n_u32(0x80000000u);
    const float64x2_t zero = vdupq_n_f64(0);
    float64x2_t norm2 = zero, absolute = zero, sign_dot_c = zero, dot_c = zero, z_norm2 = zero;
    float64x2_t z_dot_m = zero;
    for (size_t i = 0; i + 4 <= n; i += 4) {
        const float32x4_t x = vld1q_f32(z + i);
        const float32x4_t y = vld1q_f32(c + i);
        const float32x4_t r = vsubq_f32(x, y);
        const uint32x4_t positive = vcgezq_f32(r);
        const uint32_t nibble = vaddvq_u32(vandq_u32(positive, weights));
        const uint32_t before = i % 8 == 0 ? 0u : bits[i / 8];
        bits[i / 8] = static_cast<uint8_t>(before | nibble << (i % 8));
        const uint32x4_t flips = vbicq_u32(sign, positive);
        const uint32x4_t flipped = veorq_u32(vreinterpretq_u32_f32(y), flips);
        norm2 = add_products(norm2, r, r);
        dot_c = add_products(dot_c, r, y);
        z_norm2 = add_products(z_norm2, x, x);
        absolute = add_values(absolute, vabsq_f32(r));
        sign_dot_c = add_values(sign_dot_c, vreinterpretq_f32_u32(flipped));
        if (m != nullptr) z_dot_m = add_products(z_dot_m, x, vld1q_f32(m + i));
    }
    sums->norm2 = vaddvq_f64(norm2);
    sums->absolute = vaddvq_f64(absolute);
    sums->sign_dot_c = vaddvq_f64(sign_dot_c);
    sums->dot_c = vaddvq_f64(dot_c);
    sums->z_norm2 = vaddvq_f64(z_norm2);
    sums->z_dot_m = vaddvq_f64(z_dot_m);
}

struct LevelLanes {
    float64x2_t z_dot_y;
    uint32x4_t levels;  // sum of l * (l + 1); y * y = l * (l + 1) + 1/4
};

// The codes of four values; `half_levels` is 128 or 8.
uint32x4_t quantize_4(float32x4_t z, float factor, uint32_t half_levels, LevelLanes* lanes) {
    const float32x4_t a = vabsq_f32(z);
    const float32x4_t top = vdupq_n_f32(static_cast<float>(half_levels - 1));
    const uint32x4_t level = vcvtq_u32_f32(vminnmq_f32(vmulq_n_f32(a, factor), top));
    const float32x4_t magnitude = vaddq_f32(vcvtq_f32_u32(level), vdupq_n_f32(0.5f));
    lanes->z_dot_y = add_products(lanes->z_dot_y, a, magnitude);
    lanes->levels = vmlaq_u32(lanes->levels, level, vaddq_u32(level, vdupq_n_u32(1)));
    // half + l for z >= 0 and half - 1 - l = half + ~l otherwise.
    const uint32x4_t flipped = vmvnq_u32(vcgezq_f32(z));
    return vaddq_u32(vdupq_n_u32(half_levels), veorq_u32(level, flipped));
}

// Sixteen codes as bytes.
uint8x16_t quantize_16(const float* z, float factor, uint32_t half_levels, LevelLanes* lanes) {
    const uint32x4_t a = quantize_4(vld1q_f32(z), factor, half_levels, lanes);
    const uint32x4_t b = quantize_4(vld1q_f32(z + 4), factor, half_levels, lanes);
    const uint32x4_t c = quantize_4(vld1q_f32(z + 8), factor, half_levels, lanes);
    const uint32x4_t d = quantize_4(vld1q_f32(z + 12), factor, half_levels, lanes);
    const uint16x8_t ab = vcombine_u16(vmovn_u32(a), vmovn_u32(b));
    const uint16x8_t cd = vcombine_u16(vmovn_u32(c), vmovn_u32(d));
    return vcombine_u8(vmovn_u16(ab), vmovn_u16(cd));
}

template <bool nibbles>
void store_codes(uint8x16_t codes, uint8_t* target) {
    if (!nibbles) return vst1q_u8(target, codes);
    const uint8x16_t even = vuzp1q_u8(codes, codes), odd = vuzp2q_u8(codes, codes);
    vst1_u8(target, vget_low_u8(vorrq_u8(even, vshlq_n_u8(odd, 4))));
}

template <bool nibbles>
void quantize(const float* z, size_t n, float factor, uint8_t* code, Kernels::LevelSums* sums) {
    constexpr uint32_t half_levels = nibbles ? 8 : 128;
    LevelLanes lanes{vdupq_n_f64(0), vdupq_n_u32(0)};
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        store_codes<nibbles>(quantize_16(z + i, factor, half_levels, &lanes),
                             code + (nibbles ? i / 2 : i));
    }
    if (i < n) {
        // The zeros behind the end have l = 0 and add nothing to either sum.
        float values[16] = {};
        uint8_t codes[16];
        for (size_t j = 0; i + j < n; ++j) values[j] = z[i + j];
        store_codes<nibbles>(quantize_16(values, factor, half_levels, &lanes), codes);
        const size_t bytes = nibbles ? (n - i) / 2 : n - i;
        for (size_t j = 0; j < bytes; ++j) code[(nibbles ? i / 2 : i) + j] = codes[j];
    }
    sums->z_dot_y = vaddvq_f64(lanes.z_dot_y);
    sums->y_norm2 = static_cast<double>(vaddlvq_u32(lanes.levels)) + 0.25 * static_cast<double>(n);
}

void lookup(const float* w, size_t rows, float factor, uint8_t* table) {
    const float patterns[2][4] = {{0, 1, 0, 1}, {0, 0, 1, 1}};
    const float32x4_t bit0 = vld1q_f32(patterns[0]), bit1 = vld1q_f32(patterns[1]);
    for (size_t row = 0; row < rows; ++row) {
        const float32x4_t v = vmulq_n_f32(vld1q_f32(w + row * 4), factor);
        const float32x4_t negative = vmaxnmq_f32(vnegq_f32(v), vdupq_n_f32(0));
        // (n0 + n1) + (n2 + n3), the order of the scalar kernel. A product with 0 or 1 is exact.
        const float start = vaddvq_f32(negative);
        float32x4_t s = vfmaq_laneq_f32(vdupq_n_f32(start), bit0, v, 0);
        s = vfmaq_laneq_f32(s, bit1, v, 1);
        const float32x4_t v2 = vdupq_laneq_f32(v, 2), v3 = vdupq_laneq_f32(v, 3);
        const float32x4_t s2 = vaddq_f32(s, v2);
        const uint16x4_t q0 = vqmovun_s32(vcvtnq_s32_f32(s));
        const uint16x4_t q1 = vqmovun_s32(vcvtnq_s32_f32(s2));
        const uint16x4_t q2 = vqmovun_s32(vcvtnq_s32_f32(vaddq_f32(s, v3)));
        const uint16x4_t q3 = vqmovun_s32(vcvtnq_s32_f32(vaddq_f32(s2, v3)));
        const uint8x16_t bytes =
            vcombine_u8(vqmovn_u16(vcombine_u16(q0, q1)), vqmovn_u16(vcombine_u16(q2, q3)));
        vst1q_u8(table + row * 16, vminq_u8(bytes, vdupq_n_u8(127)));
    }
}

}  // namespace

void enter_encoding_neon(Kernels& table) {
    table.residual_sums = residual_sums;
    table.quantize_u8 = quantize<false>;
    table.quantize_u4 = quantize<true>;
    table.lookup = lookup;
}

}  // namespace pagoda::simd

#endif

// Code scanning for AArch64 NEON: FastScan, the group filter, level-1 dot products.
#if defined(__aarch64__)

#include <arm_neon.h>

#include "core/simd/levels.h"

namespace pagoda::simd {
namespace {

// Two rows are looked up and added as bytes (2 x 127 < 256) before they are widened.
void fastscan(const uint8_t* codes, const uint8_t* table, size_t rows, uint16_t acc[32]) {
    const uint8x16_t nibble = vdupq_n_u8(15);
    uint16x8_t s0 = vld1q_u16(acc), s1 = vld1q_u16(acc + 8);
    uint16x8_t s2 = vld1q_u16(acc + 16), s3 = vld1q_u16(acc + 24);
    const auto add = [&](uint8x16_t low, uint8x16_t high) __attribute__((always_inline)) {
        s0 = vaddw_u8(s0, vget_low_u8(low));
        s1 = vaddw_high_u8(s1, low);
        s2 = vaddw_u8(s2, vget_low_u8(high));
        s3 = vaddw_high_u8(s3, high);
    };
    size_t row = 0;
    for (; row + 2 <= rows; row += 2, codes += 32, table += 32) {
        const uint8x16_t c0 = vld1q_u8(codes), c1 = vld1q_u8(codes + 16);
        const uint8x16_t t0 = vld1q_u8(table), t1 = vld1q_u8(table + 16);
        add(vaddq_u8(vqtbl1q_u8(t0, vandq_u8(c0, nibble)), vqtbl1q_u8(t1, vandq_u8(c1, nibble))),
            vaddq_u8(vqtbl1q_u8(t0, vshrq_n_u8(c0, 4)), vqtbl1q_u8(t1, vshrq_n_u8(c1, 4))));
    }
    if (row < rows) {
        const uint8x16_t c = vld1q_u8(codes), t = vld1q_u8(table);
        add(vqtbl1q_u8(t, vandq_u8(c, nibble)), vqtbl1q_u8(t, vshrq_n_u8(c, 4)));
    }
    vst1q_u16(acc, s0);
    vst1q_u16(acc + 8, s1);
    vst1q_u16(acc + 16, s2);
    vst1q_u16(acc + 24, s3);
}

float32x4_t load_half(const uint16_t* p) {
    return vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(p)));
}

uint32_t filter(const uint32_t acc[32], const uint16_t add[32], const uint16_t s[32],
                const Kernels::FilterArgs* args, float lower[32], float estimate[32]) {
    const float32x4_t add_unit = vdupq_n_f32(args->add_unit);
    const float32x4_t s_unit = vdupq_n_f32(args->s_unit);
    const float32x4_t base = vdupq_n_f32(args->base);
    const float32x4_t slope = vdupq_n_f32(args->slope);
    const float32x4_t width = vdupq_n_f32(args->width);
    const float32x4_t step = vdupq_n_f32(args->step);
    const float32x4_t offset = vdupq_n_f32(args->offset);
    const float32x4_t threshold = vdupq_n_f32(args->threshold);
    const uint32_t lane_bits[4] = {1, 2, 4, 8};
    const uint32x4_t weights = vld1q_u32(lane_bits);
    uint32_t below = 0;
    for (size_t i = 0; i < 32; i += 4) {
        const float32x4_t scale = vmulq_f32(load_half(s + i), s_unit);
        const int32x4_t sums = vreinterpretq_s32_u32(vld1q_u32(acc + i));
        const float32x4_t ip = vaddq_f32(vmulq_f32(vcvtq_f32_s32(sums), step), offset);
        const float32x4_t constant = vaddq_f32(vmulq_f32(load_half(add + i), add_unit), base);
        const float32x4_t guess = vaddq_f32(constant, vmulq_f32(vmulq_f32(slope, scale), ip));
        const float32x4_t bound = vsubq_f32(guess, vmulq_f32(width, scale));
        vst1q_f32(estimate + i, guess);
        vst1q_f32(lower + i, bound);
        below |= vaddvq_u32(vandq_u32(vcltq_f32(bound, threshold), weights)) << i;
    }
    return below;
}

// Codes are at most 255, so they are positive as i16. A lane takes one product per 16 dimensions:
// at n = 16,384 at most 1024 of 255 x 2047, below 2^30.
struct Sums {
    int32x4_t low, high;

    void add(int16x8_t codes, int16x8_t query) {
        low = vmlal_s16(low, vget_low_s16(codes), vget_low_s16(query));
        high = vmlal_high_s16(high, codes, query);
    }
    int64_t total() const { return vaddlvq_s32(low) + vaddlvq_s32(high); }
};

int16x8_t widen_low(uint8x16_t v) {
    return vreinterpretq_s16_u16(vmovl_u8(vget_low_u8(v)));
}
int16x8_t widen_high(uint8x16_t v) {
    return vreinterpretq_s16_u16(vmovl_high_u8(v));
}

int64_t dot_u8_i16(const uint8_t* code, const int16_t* query, size_t n) {
    Sums a{vdupq_n_s32(0), vdupq_n_s32(0)}, b = a;
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        const uint8x16_t c = vld1q_u8(code + i);
        a.add(widen_low(c), vld1q_s16(query + i));
        b.add(widen_high(c), vld1q_s16(query + i + 8));
    }
    int64_t tail = 0;
    for (; i < n; ++i) tail += int32_t{code[i]} * int32_t{query[i]};
    return a.total() + b.total() + tail;
}

int64_t dot_u4_i16(const uint8_t* code, const int16_t* query, size_t n) {
    const uint8x16_t nibble = vdupq_n_u8(15);
    Sums a{vdupq_n_s32(0), vdupq_n_s32(0)}, b = a;
    size_t i = 0;
    for (; i + 32 <= n; i += 32) {
        const uint8x16_t c = vld1q_u8(code + i / 2);
        const uint8x16_t even = vandq_u8(c, nibble), odd = vshrq_n_u8(c, 4);
        const uint8x16_t first = vzip1q_u8(even, odd), second = vzip2q_u8(even, odd);
        a.add(widen_low(first), vld1q_s16(query + i));
        b.add(widen_high(first), vld1q_s16(query + i + 8));
        a.add(widen_low(second), vld1q_s16(query + i + 16));
        b.add(widen_high(second), vld1q_s16(query + i + 24));
    }
    int64_t tail = 0;
    for (; i < n; i += 2) {
        tail += int32_t{code[i / 2] & 15} * int32_t{query[i]};
        tail += int32_t{code[i / 2] >> 4} * int32_t{query[i + 1]};
    }
    return a.total() + b.total() + tail;
}

}  // namespace

void enter_codes_neon(Kernels& table) {
    table.fastscan = fastscan;
    table.filter = filter;
    table.dot_u8_i16 = dot_u8_i16;
    table.dot_u4_i16 = dot_u4_i16;
}

}  // namespace pagoda::simd

#endif

// Rotation steps and the matrix product for AArch64 NEON. The Hadamard transform does two stages
// within a register and then works between strided registers, eight or two at a time. The product
// packs b eight columns wide, [depth][8]; the inner tile is 8 rows x 8 columns, 16 accumulators.
#if defined(__aarch64__)

#include <arm_neon.h>

#include "core/simd/levels.h"

namespace pagoda::simd {
namespace {

float32x4_t hadamard_4(float32x4_t x) {
    const float signs[2][4] = {{1, -1, 1, -1}, {1, 1, -1, -1}};
    // A product with +-1 is exact, so the fused form rounds once, like an addition.
    x = vfmaq_f32(vrev64q_f32(x), x, vld1q_f32(signs[0]));
    return vfmaq_f32(vextq_f32(x, x, 2), x, vld1q_f32(signs[1]));
}

void mix(float32x4_t& a, float32x4_t& b) {
    const float32x4_t sum = vaddq_f32(a, b);
    b = vsubq_f32(a, b);
    a = sum;
}

// Three stages between the registers x[0], x[half], ..., x[7 * half].
void radix_8(float* x, size_t half, float scale) {
    float32x4_t v[8];
    for (size_t i = 0; i < 8; ++i) v[i] = vld1q_f32(x + i * half);
    mix(v[0], v[1]), mix(v[2], v[3]), mix(v[4], v[5]), mix(v[6], v[7]);
    mix(v[0], v[2]), mix(v[1], v[3]), mix(v[4], v[6]), mix(v[5], v[7]);
    mix(v[0], v[4]), mix(v[1], v[5]), mix(v[2], v[6]), mix(v[3], v[7]);
    for (size_t i = 0; i < 8; ++i) vst1q_f32(x + i * half, vmulq_n_f32(v[i], scale));
}

void radix_2(float* x, size_t half, float scale) {
    float32x4_t a = vld1q_f32(x), b = vld1q_f32(x + half);
    mix(a, b);
    vst1q_f32(x, vmulq_n_f32(a, scale));
    vst1q_f32(x + half, vmulq_n_f32(b, scale));
}

// n < 4: the plain loop.
void hadamard_small(float* x, size_t n, float scale) {
    if (n == 2) {
        const float a = x[0], b = x[1];
        x[0] = a + b;
        x[1] = a - b;
    }
    for (size_t i = 0; i < n; ++i) x[i] *= scale;
}

void hadamard(float* x, size_t n, float scale) {
    if (n < 4) return hadamard_small(x, n, scale);
    const float first = n == 4 ? scale : 1.0f;
    for (size_t i = 0; i < n; i += 4) {
        vst1q_f32(x + i, vmulq_n_f32(hadamard_4(vld1q_f32(x + i)), first));
    }
    for (size_t half = 4; half < n;) {
        const size_t radix = n / half >= 8 ? 8 : 2;
        const float factor = half * radix == n ? scale : 1.0f;
        for (size_t start = 0; start < n; start += half * radix) {
            for (size_t i = start; i < start + half; i += 4) {
                if (radix == 8) {
                    radix_8(x + i, half, factor);
                } else {
                    radix_2(x + i, half, factor);
                }
            }
        }
        half *= radix;
    }
}

void flip_signs(float* x, const uint8_t* bits, size_t n) {
    const int32_t shifts[2][4] = {{31, 30, 29, 28}, {27, 26, 25, 24}};
    const uint32x4_t sign = vdupq_n_u32(0x80000000u);
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        const uint32x4_t byte = vdupq_n_u32(bits[i / 8]);
        const uint32x4_t flip = vandq_u32(vshlq_u32(byte, vld1q_s32(shifts[i / 4 % 2])), sign);
        const uint32x4_t value = vreinterpretq_u32_f32(vld1q_f32(x + i));
        vst1q_f32(x + i, vreinterpretq_f32_u32(veorq_u32(value, flip)));
    }
    for (; i < n; ++i) {
        if ((bits[i / 8] >> (i % 8) & 1) != 0) x[i] = -x[i];
    }
}

void givens_mix(float* x, size_t n) {
    constexpr float root = 0.70710678118654752440f;
    const size_t half = n / 2;
    size_t i = 0;
    for (; i + 4 <= half; i += 4) radix_2(x + i, half, root);
    for (; i < half; ++i) {
        const float a = x[i], b = x[i + half];
        x[i] = (a + b) * root;
        x[i + half] = (a - b) * root;
    }
}

constexpr size_t tile_rows = 8;
constexpr size_t tile_columns = 8;
constexpr size_t panels_max = 7;  // 56 packed columns: 56 x depth floats of the workspace

// Packs up to 8 columns of b; a missing column repeats the last one and its products are dropped.
void pack_panel(const float* b, size_t columns, size_t depth, float* panel) {
    for (size_t i = 0; i < tile_columns; ++i) {
        const float* source = b + (i < columns ? i : columns - 1) * depth;
        for (size_t k = 0; k < depth; ++k) panel[k * tile_columns + i] = source[k];
    }
}

// products[8][8] of rows a[0..7] with one panel.
void multiply_tile(const float* const a[tile_rows], const float* panel, size_t depth,
                   float* products) {
    float32x4_t low[tile_rows], high[tile_rows];
#pragma GCC unroll 8
    for (size_t i = 0; i < tile_rows; ++i) low[i] = high[i] = vdupq_n_f32(0);
    for (size_t k = 0; k < depth; ++k, panel += tile_columns) {
        const float32x4_t b0 = vld1q_f32(panel), b1 = vld1q_f32(panel + 4);
#pragma GCC unroll 8
        for (size_t i = 0; i < tile_rows; ++i) {
            const float x = a[i][k];
            low[i] = vfmaq_n_f32(low[i], b0, x);
            high[i] = vfmaq_n_f32(high[i], b1, x);
        }
    }
#pragma GCC unroll 8
    for (size_t i = 0; i < tile_rows; ++i) {
        vst1q_f32(products + i * tile_columns, low[i]);
        vst1q_f32(products + i * tile_columns + 4, high[i]);
    }
}

// `count` <= 8 rows of the product with one panel of `columns` <= 8 real columns.
void multiply_rows(const float* a, size_t count, const float* panel, size_t columns, size_t depth,
                   float* out, size_t out_stride) {
    const float* rows[tile_rows];
    for (size_t i = 0; i < tile_rows; ++i) rows[i] = a + (i < count ? i : count - 1) * depth;
    float products[tile_rows * tile_columns];
    multiply_tile(rows, panel, depth, products);
    for (size_t i = 0; i < count; ++i) {
        for (size_t j = 0; j < columns; ++j) {
            out[i * out_stride + j] = products[i * tile_columns + j];
        }
    }
}

void gemm(const float* a, size_t rows, const float* b, size_t columns, size_t depth, float* out,
          size_t out_stride, float* workspace) {
    for (size_t first = 0; first < columns; first += panels_max * tile_columns) {
        const size_t left = columns - first;
        const size_t width = left < panels_max * tile_columns ? left : panels_max * tile_columns;
        for (size_t j = 0; j < width; j += tile_columns) {
            const size_t count = width - j < tile_columns ? width - j : tile_columns;
            pack_panel(b + (first + j) * depth, count, depth, workspace + j * depth);
        }
        for (size_t i = 0; i < rows; i += tile_rows) {
            const size_t count = rows - i < tile_rows ? rows - i : tile_rows;
            for (size_t j = 0; j < width; j += tile_columns) {
                const size_t real = width - j < tile_columns ? width - j : tile_columns;
                multiply_rows(a + i * depth, count, workspace + j * depth, real, depth,
                              out + i * out_stride + first + j, out_stride);
            }
        }
    }
}

}  // namespace

void enter_matrix_neon(Kernels& table) {
    table.hadamard = hadamard;
    table.flip_signs = flip_signs;
    table.givens_mix = givens_mix;
    table.gemm = gemm;
}

}  // namespace pagoda::simd

#endif

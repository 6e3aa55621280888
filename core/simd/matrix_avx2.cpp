// Rotation steps and the matrix product for AVX2 + FMA.
//
// hadamard: blocks of 64 floats live in eight registers for the first six stages (three by lane
// shuffles, three between registers); the rest runs eight, four or two strided registers at a time.
// gemm: columns of b are packed 16 wide, [depth][16]; the inner tile is 6 rows x 16 columns, twelve
// accumulators, two loads and six broadcasts for twelve multiply-adds. Rows of a need no packing.
#if defined(__x86_64__)

#include <immintrin.h>

#include "core/simd/levels.h"

namespace pagoda::simd {
namespace {

// The butterfly of lane pairs: `mixed` is x with the partners swapped, `signs` +1 for the first and
// -1 for the second of a pair. The product is exact, so this rounds once, like an addition.
__m256 butterfly(__m256 x, __m256 mixed, __m256 signs) {
    return _mm256_fmadd_ps(x, signs, mixed);
}

__m256 hadamard_8(__m256 x) {
    const __m256 s1 = _mm256_setr_ps(1, -1, 1, -1, 1, -1, 1, -1);
    const __m256 s2 = _mm256_setr_ps(1, 1, -1, -1, 1, 1, -1, -1);
    const __m256 s4 = _mm256_setr_ps(1, 1, 1, 1, -1, -1, -1, -1);
    x = butterfly(x, _mm256_permute_ps(x, 0xB1), s1);
    x = butterfly(x, _mm256_permute_ps(x, 0x4E), s2);
    return butterfly(x, _mm256_permute2f128_ps(x, x, 1), s4);
}

void mix(__m256& a, __m256& b) {
    const __m256 sum = _mm256_add_ps(a, b);
    b = _mm256_sub_ps(a, b);
    a = sum;
}

// Three stages between the registers x[0], x[half], ..., x[7 * half].
template <bool first>
void radix_8(float* x, size_t half, __m256 scale) {
    __m256 v0 = _mm256_loadu_ps(x);
    __m256 v1 = _mm256_loadu_ps(x + half);
    __m256 v2 = _mm256_loadu_ps(x + 2 * half);
    __m256 v3 = _mm256_loadu_ps(x + 3 * half);
    __m256 v4 = _mm256_loadu_ps(x + 4 * half);
    __m256 v5 = _mm256_loadu_ps(x + 5 * half);
    __m256 v6 = _mm256_loadu_ps(x + 6 * half);
    __m256 v7 = _mm256_loadu_ps(x + 7 * half);
    if (first) {
        v0 = hadamard_8(v0), v1 = hadamard_8(v1), v2 = hadamard_8(v2), v3 = hadamard_8(v3);
        v4 = hadamard_8(v4), v5 = hadamard_8(v5), v6 = hadamard_8(v6), v7 = hadamard_8(v7);
    }
    mix(v0, v1), mix(v2, v3), mix(v4, v5), mix(v6, v7);
    mix(v0, v2), mix(v1, v3), mix(v4, v6), mix(v5, v7);
    mix(v0, v4), mix(v1, v5), mix(v2, v6), mix(v3, v7);
    _mm256_storeu_ps(x, _mm256_mul_ps(v0, scale));
    _mm256_storeu_ps(x + half, _mm256_mul_ps(v1, scale));
    _mm256_storeu_ps(x + 2 * half, _mm256_mul_ps(v2, scale));
    _mm256_storeu_ps(x + 3 * half, _mm256_mul_ps(v3, scale));
    _mm256_storeu_ps(x + 4 * half, _mm256_mul_ps(v4, scale));
    _mm256_storeu_ps(x + 5 * half, _mm256_mul_ps(v5, scale));
    _mm256_storeu_ps(x + 6 * half, _mm256_mul_ps(v6, scale));
    _mm256_storeu_ps(x + 7 * half, _mm256_mul_ps(v7, scale));
}

void radix_2(float* x, size_t half, __m256 scale) {
    __m256 a = _mm256_loadu_ps(x);
    __m256 b = _mm256_loadu_ps(x + half);
    mix(a, b);
    _mm256_storeu_ps(x, _mm256_mul_ps(a, scale));
    _mm256_storeu_ps(x + half, _mm256_mul_ps(b, scale));
}

void radix_4(float* x, size_t half, __m256 scale) {
    __m256 v0 = _mm256_loadu_ps(x);
    __m256 v1 = _mm256_loadu_ps(x + half);
    __m256 v2 = _mm256_loadu_ps(x + 2 * half);
    __m256 v3 = _mm256_loadu_ps(x + 3 * half);
    mix(v0, v1), mix(v2, v3);
    mix(v0, v2), mix(v1, v3);
    _mm256_storeu_ps(x, _mm256_mul_ps(v0, scale));
    _mm256_storeu_ps(x + half, _mm256_mul_ps(v1, scale));
    _mm256_storeu_ps(x + 2 * half, _mm256_mul_ps(v2, scale));
    _mm256_storeu_ps(x + 3 * half, _mm256_mul_ps(v3, scale));
}

// n < 64: the plain loop.
void hadamard_small(float* x, size_t n, float scale) {
    for (size_t half = 1; half < n; half *= 2) {
        for (size_t start = 0; start < n; start += 2 * half) {
            for (size_t i = start; i < start + half; ++i) {
                const float a = x[i];
                const float b = x[i + half];
                x[i] = a + b;
                x[i + half] = a - b;
            }
        }
    }
    for (size_t i = 0; i < n; ++i) x[i] *= scale;
}

void hadamard(float* x, size_t n, float scale) {
    if (n < 64) return hadamard_small(x, n, scale);
    const __m256 one = _mm256_set1_ps(1.0f);
    const __m256 last = _mm256_set1_ps(scale);
    for (size_t i = 0; i < n; i += 64) radix_8<true>(x + i, 8, n == 64 ? last : one);
    for (size_t half = 64; half < n;) {
        const size_t radix = n / half >= 8 ? 8 : n / half;
        const __m256 factor = half * radix == n ? last : one;
        for (size_t start = 0; start < n; start += half * radix) {
            for (size_t i = start; i < start + half; i += 8) {
                if (radix == 8) {
                    radix_8<false>(x + i, half, factor);
                } else if (radix == 4) {
                    radix_4(x + i, half, factor);
                } else {
                    radix_2(x + i, half, factor);
                }
            }
        }
        half *= radix;
    }
}

void flip_signs(float* x, const uint8_t* bits, size_t n) {
    const __m256i lane_bits = _mm256_setr_epi32(1, 2, 4, 8, 16, 32, 64, 128);
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        const __m256i byte = _mm256_set1_epi32(bits[i / 8]);
        const __m256i set = _mm256_cmpeq_epi32(_mm256_and_si256(byte, lane_bits), lane_bits);
        const __m256 sign = _mm256_castsi256_ps(_mm256_slli_epi32(set, 31));
        _mm256_storeu_ps(x + i, _mm256_xor_ps(_mm256_loadu_ps(x + i), sign));
    }
    for (; i < n; ++i) {
        if ((bits[i / 8] >> (i % 8) & 1) != 0) x[i] = -x[i];
    }
}

void givens_mix(float* x, size_t n) {
    constexpr float root = 0.70710678118654752440f;
    const __m256 factor = _mm256_set1_ps(root);
    const size_t half = n / 2;
    float* y = x + half;
    size_t i = 0;
    for (; i + 8 <= half; i += 8) {
        __m256 a = _mm256_loadu_ps(x + i);
        __m256 b = _mm256_loadu_ps(y + i);
        mix(a, b);
        _mm256_storeu_ps(x + i, _mm256_mul_ps(a, factor));
        _mm256_storeu_ps(y + i, _mm256_mul_ps(b, factor));
    }
    for (; i < half; ++i) {
        const float a = x[i];
        const float b = y[i];
        x[i] = (a + b) * root;
        y[i] = (a - b) * root;
    }
}

constexpr size_t tile_rows = 6;
constexpr size_t tile_columns = 16;
constexpr size_t panels_max = 3;  // 48 packed columns: 48 x depth floats of the workspace

// Transposes 8 columns x 8 depths of b into panel[k][0..7]; panel rows are 16 floats apart.
void transpose_8(const float* const columns[8], size_t k, float* panel) {
    __m256 r[8];
    for (int i = 0; i < 8; ++i) r[i] = _mm256_loadu_ps(columns[i] + k);
    __m256 t[8];
    for (int i = 0; i < 8; i += 2) {
        t[i] = _mm256_unpacklo_ps(r[i], r[i + 1]);
        t[i + 1] = _mm256_unpackhi_ps(r[i], r[i + 1]);
    }
    __m256 u[8];
    for (int i = 0; i < 8; i += 4) {
        u[i] = _mm256_shuffle_ps(t[i], t[i + 2], 0x44);
        u[i + 1] = _mm256_shuffle_ps(t[i], t[i + 2], 0xEE);
        u[i + 2] = _mm256_shuffle_ps(t[i + 1], t[i + 3], 0x44);
        u[i + 3] = _mm256_shuffle_ps(t[i + 1], t[i + 3], 0xEE);
    }
    for (int i = 0; i < 4; ++i) {
        _mm256_storeu_ps(panel + i * 16, _mm256_permute2f128_ps(u[i], u[i + 4], 0x20));
        _mm256_storeu_ps(panel + (i + 4) * 16, _mm256_permute2f128_ps(u[i], u[i + 4], 0x31));
    }
}

// Packs up to 16 columns of b; a missing column repeats the last one and its products are dropped.
void pack_panel(const float* b, size_t columns, size_t depth, float* panel) {
    for (size_t group = 0; group < tile_columns; group += 8) {
        const float* sources[8];
        for (size_t i = 0; i < 8; ++i) {
            const size_t column = group + i < columns ? group + i : columns - 1;
            sources[i] = b + column * depth;
        }
        size_t k = 0;
        for (; k + 8 <= depth; k += 8) transpose_8(sources, k, panel + k * 16 + group);
        for (; k < depth; ++k) {
            for (size_t i = 0; i < 8; ++i) panel[k * 16 + group + i] = sources[i][k];
        }
    }
}

// products[6][16] of rows a[0..5] with one panel.
void multiply_tile(const float* const a[tile_rows], const float* panel, size_t depth, float* out,
                   size_t out_stride) {
    __m256 c00 = _mm256_setzero_ps(), c01 = c00, c10 = c00, c11 = c00, c20 = c00, c21 = c00;
    __m256 c30 = c00, c31 = c00, c40 = c00, c41 = c00, c50 = c00, c51 = c00;
    const float *a0 = a[0], *a1 = a[1], *a2 = a[2], *a3 = a[3], *a4 = a[4], *a5 = a[5];
    for (size_t k = 0; k < depth; ++k, panel += tile_columns) {
        const __m256 b0 = _mm256_loadu_ps(panel);
        const __m256 b1 = _mm256_loadu_ps(panel + 8);
        __m256 x = _mm256_broadcast_ss(a0 + k);
        __m256 y = _mm256_broadcast_ss(a1 + k);
        c00 = _mm256_fmadd_ps(x, b0, c00), c01 = _mm256_fmadd_ps(x, b1, c01);
        c10 = _mm256_fmadd_ps(y, b0, c10), c11 = _mm256_fmadd_ps(y, b1, c11);
        x = _mm256_broadcast_ss(a2 + k), y = _mm256_broadcast_ss(a3 + k);
        c20 = _mm256_fmadd_ps(x, b0, c20), c21 = _mm256_fmadd_ps(x, b1, c21);
        c30 = _mm256_fmadd_ps(y, b0, c30), c31 = _mm256_fmadd_ps(y, b1, c31);
        x = _mm256_broadcast_ss(a4 + k), y = _mm256_broadcast_ss(a5 + k);
        c40 = _mm256_fmadd_ps(x, b0, c40), c41 = _mm256_fmadd_ps(x, b1, c41);
        c50 = _mm256_fmadd_ps(y, b0, c50), c51 = _mm256_fmadd_ps(y, b1, c51);
    }
    const __m256 sums[tile_rows][2] = {{c00, c01}, {c10, c11}, {c20, c21},
                                       {c30, c31}, {c40, c41}, {c50, c51}};
    for (size_t i = 0; i < tile_rows; ++i) {
        _mm256_storeu_ps(out + i * out_stride, sums[i][0]);
        _mm256_storeu_ps(out + i * out_stride + 8, sums[i][1]);
    }
}

// Rows [row, row + count) of the product with one panel of `columns` <= 16 real columns.
void multiply_rows(const float* a, size_t count, const float* panel, size_t columns, size_t depth,
                   float* out, size_t out_stride) {
    const float* rows[tile_rows];
    for (size_t i = 0; i < tile_rows; ++i) rows[i] = a + (i < count ? i : count - 1) * depth;
    if (count == tile_rows && columns == tile_columns) {
        return multiply_tile(rows, panel, depth, out, out_stride);
    }
    float tile[tile_rows * tile_columns];
    multiply_tile(rows, panel, depth, tile, tile_columns);
    for (size_t i = 0; i < count; ++i) {
        for (size_t j = 0; j < columns; ++j) out[i * out_stride + j] = tile[i * tile_columns + j];
    }
}

void gemm(const float* a, size_t rows, const float* b, size_t columns, size_t depth, float* out,
          size_t out_stride, float* workspace) {
    auto address = reinterpret_cast<uintptr_t>(workspace);
    auto* packed = reinterpret_cast<float*>((address + 63) / 64 * 64);
    for (size_t first = 0; first < columns; first += panels_max * tile_columns) {
        const size_t left = columns - first;
        const size_t width = left < panels_max * tile_columns ? left : panels_max * tile_columns;
        for (size_t j = 0; j < width; j += tile_columns) {
            const size_t count = width - j < tile_columns ? width - j : tile_columns;
            pack_panel(b + (first + j) * depth, count, depth, packed + j * depth);
        }
        for (size_t i = 0; i < rows; i += tile_rows) {
            const size_t count = rows - i < tile_rows ? rows - i : tile_rows;
            for (size_t j = 0; j < width; j += tile_columns) {
                const size_t real = width - j < tile_columns ? width - j : tile_columns;
                multiply_rows(a + i * depth, count, packed + j * depth, real, depth,
                              out + i * out_stride + first + j, out_stride);
            }
        }
    }
}

}  // namespace

void enter_matrix_avx2(Kernels& table) {
    table.hadamard = hadamard;
    table.flip_signs = flip_signs;
    table.givens_mix = givens_mix;
    table.gemm = gemm;
}

}  // namespace pagoda::simd

#endif

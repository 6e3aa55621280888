// Making codes and lookup tables with AVX2 + FMA. Sums are kept in f64, four lanes, because the
// factors of a code must stay right for components from 1e-30 to 1e18.
#if defined(__x86_64__)

#include <immintrin.h>

#include "core/simd/levels.h"

namespace pagoda::simd {
namespace {

__m256d low_double(__m256 v) {
    return _mm256_cvtps_pd(_mm256_castps256_ps128(v));
}
__m256d high_double(__m256 v) {
    return _mm256_cvtps_pd(_mm256_extractf128_ps(v, 1));
}

double sum_lanes(__m256d v) {
    const __m128d x = _mm_add_pd(_mm256_castpd256_pd128(v), _mm256_extractf128_pd(v, 1));
    return _mm_cvtsd_f64(_mm_add_sd(x, _mm_unpackhi_pd(x, x)));
}

template <bool with_mean>
void residual_sums(const float* z, const float* c, const float* m, size_t n, uint8_t* bits,
                   Kernels::ResidualSums* sums) {
    const __m256 sign = _mm256_set1_ps(-0.0f);
    const __m256d zero = _mm256_setzero_pd();
    __m256d norm2 = zero, absolute = zero, sign_dot_c = zero, dot_c = zero, z_norm2 = zero;
    __m256d z_dot_m = zero;
    for (size_t i = 0; i + 8 <= n; i += 8) {
        const __m256 x = _mm256_loadu_ps(z + i);
        const __m256 y = _mm256_loadu_ps(c + i);
        const __m256 r = _mm256_sub_ps(x, y);
        const __m256 positive = _mm256_cmp_ps(r, _mm256_setzero_ps(), _CMP_GE_OQ);
        bits[i / 8] = static_cast<uint8_t>(_mm256_movemask_ps(positive));
        const __m256 a = _mm256_andnot_ps(sign, r);
        const __m256 signed_c = _mm256_xor_ps(y, _mm256_andnot_ps(positive, sign));
        const __m256d rl = low_double(r), rh = high_double(r);
        const __m256d xl = low_double(x), xh = high_double(x);
        norm2 = _mm256_fmadd_pd(rl, rl, _mm256_fmadd_pd(rh, rh, norm2));
        dot_c = _mm256_fmadd_pd(rl, low_double(y), _mm256_fmadd_pd(rh, high_double(y), dot_c));
        z_norm2 = _mm256_fmadd_pd(xl, xl, _mm256_fmadd_pd(xh, xh, z_norm2));
        absolute = _mm256_add_pd(absolute, _mm256_add_pd(low_double(a), high_double(a)));
        sign_dot_c =
            _mm256_add_pd(sign_dot_c, _mm256_add_pd(low_double(signed_c), high_double(signed_c)));
        if (with_mean) {
            const __m256 v = _mm256_loadu_ps(m + i);
            z_dot_m =
                _mm256_fmadd_pd(xl, low_double(v), _mm256_fmadd_pd(xh, high_double(v), z_dot_m));
        }
    }
    sums->norm2 = sum_lanes(norm2);
    sums->absolute = sum_lanes(absolute);
    sums->sign_dot_c = sum_lanes(sign_dot_c);
    sums->dot_c = sum_lanes(dot_c);
    sums->z_norm2 = sum_lanes(z_norm2);
    sums->z_dot_m = sum_lanes(z_dot_m);
}

void residual_sums_any(const float* z, const float* c, const float* m, size_t n, uint8_t* bits,
                       Kernels::ResidualSums* sums) {
    if (m == nullptr) return residual_sums<false>(z, c, m, n, bits, sums);
    residual_sums<true>(z, c, m, n, bits, sums);
}

struct LevelLanes {
    __m256d z_dot_y;
    __m256i levels;  // sum of l * (l + 1); y * y = l * (l + 1) + 1/4
};

// The codes of eight values as 32-bit integers; adds to the sums.
__m256i quantize_8(__m256 z, __m256 factor, __m256 top, LevelLanes* lanes) {
    const __m256 a = _mm256_andnot_ps(_mm256_set1_ps(-0.0f), z);
    const __m256i level = _mm256_cvttps_epi32(_mm256_min_ps(_mm256_mul_ps(a, factor), top));
    const __m256 magnitude = _mm256_add_ps(_mm256_cvtepi32_ps(level), _mm256_set1_ps(0.5f));
    lanes->z_dot_y =
        _mm256_fmadd_pd(low_double(a), low_double(magnitude),
                        _mm256_fmadd_pd(high_double(a), high_double(magnitude), lanes->z_dot_y));
    const __m256i next = _mm256_add_epi32(level, _mm256_set1_epi32(1));
    lanes->levels = _mm256_add_epi32(lanes->levels, _mm256_mullo_epi32(level, next));
    // 128 + l for z >= 0 and 127 - l = 128 + ~l otherwise.
    const __m256 positive = _mm256_cmp_ps(z, _mm256_setzero_ps(), _CMP_GE_OQ);
    const __m256i flipped =
        _mm256_andnot_si256(_mm256_castps_si256(positive), _mm256_set1_epi32(-1));
    const __m256i center = _mm256_cvtps_epi32(_mm256_add_ps(top, _mm256_set1_ps(1.0f)));
    return _mm256_add_epi32(center, _mm256_xor_si256(level, flipped));
}

// The low bytes of two times eight 32-bit integers, in order.
__m128i pack_16(__m256i a, __m256i b) {
    const __m256i words = _mm256_permute4x64_epi64(_mm256_packus_epi32(a, b), 0xD8);
    return _mm_packus_epi16(_mm256_castsi256_si128(words), _mm256_extracti128_si256(words, 1));
}

template <bool nibbles>
void store_codes(__m128i codes, uint8_t* target) {
    if (!nibbles) return _mm_storeu_si128(reinterpret_cast<__m128i*>(target), codes);
    // even + 16 * odd of each byte pair
    const __m128i pairs = _mm_maddubs_epi16(codes, _mm_set1_epi16(0x1001));
    _mm_storel_epi64(reinterpret_cast<__m128i*>(target), _mm_packus_epi16(pairs, pairs));
}

template <bool nibbles>
void quantize(const float* z, size_t n, float factor, uint8_t* code, Kernels::LevelSums* sums) {
    const __m256 scale = _mm256_set1_ps(factor);
    const __m256 top = _mm256_set1_ps(nibbles ? 7.0f : 127.0f);
    LevelLanes lanes{_mm256_setzero_pd(), _mm256_setzero_si256()};
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        const __m256i a = quantize_8(_mm256_loadu_ps(z + i), scale, top, &lanes);
        const __m256i b = quantize_8(_mm256_loadu_ps(z + i + 8), scale, top, &lanes);
        store_codes<nibbles>(pack_16(a, b), code + (nibbles ? i / 2 : i));
    }
    if (i < n) {
        // The zeros behind the end have l = 0 and add nothing to either sum.
        float values[16] = {};
        uint8_t codes[16];
        for (size_t j = 0; i + j < n; ++j) values[j] = z[i + j];
        const __m256i a = quantize_8(_mm256_loadu_ps(values), scale, top, &lanes);
        const __m256i b = quantize_8(_mm256_loadu_ps(values + 8), scale, top, &lanes);
        store_codes<nibbles>(pack_16(a, b), codes);
        const size_t bytes = nibbles ? (n - i) / 2 : n - i;
        for (size_t j = 0; j < bytes; ++j) code[(nibbles ? i / 2 : i) + j] = codes[j];
    }
    alignas(32) int32_t levels[8];
    _mm256_store_si256(reinterpret_cast<__m256i*>(levels), lanes.levels);
    double level_sum = 0;
    for (int level : levels) level_sum += level;
    sums->z_dot_y = sum_lanes(lanes.z_dot_y);
    sums->y_norm2 = level_sum + 0.25 * static_cast<double>(n);
}

void lookup(const float* w, size_t rows, float factor, uint8_t* table) {
    const __m256 bit0 = _mm256_setr_ps(0, 1, 0, 1, 0, 1, 0, 1);
    const __m256 bit1 = _mm256_setr_ps(0, 0, 1, 1, 0, 0, 1, 1);
    const __m256 bit2 = _mm256_setr_ps(0, 0, 0, 0, 1, 1, 1, 1);
    const __m128 zero = _mm_setzero_ps();
    const __m128i top = _mm_set1_epi8(127);
    for (size_t row = 0; row < rows; ++row) {
        const __m128 v = _mm_mul_ps(_mm_loadu_ps(w + row * 4), _mm_set1_ps(factor));
        const __m128 negative = _mm_max_ps(_mm_sub_ps(zero, v), zero);
        const __m128 halves = _mm_add_ps(negative, _mm_permute_ps(negative, 0xB1));
        const __m128 start = _mm_add_ps(halves, _mm_permute_ps(halves, 0x4E));
        const __m256 wide = _mm256_set_m128(v, v);
        __m256 sum = _mm256_set_m128(start, start);
        // A product with 0 or 1 is exact, so the fused form rounds as an addition does.
        sum = _mm256_fmadd_ps(_mm256_permute_ps(wide, 0x00), bit0, sum);
        sum = _mm256_fmadd_ps(_mm256_permute_ps(wide, 0x55), bit1, sum);
        sum = _mm256_fmadd_ps(_mm256_permute_ps(wide, 0xAA), bit2, sum);
        const __m256 other = _mm256_add_ps(sum, _mm256_permute_ps(wide, 0xFF));
        const __m128i bytes = pack_16(_mm256_cvtps_epi32(sum), _mm256_cvtps_epi32(other));
        _mm_storeu_si128(reinterpret_cast<__m128i*>(table + row * 16), _mm_min_epu8(bytes, top));
    }
}

}  // namespace

void enter_encoding_avx2(Kernels& table) {
    table.residual_sums = residual_sums_any;
    table.quantize_u8 = quantize<false>;
    table.quantize_u4 = quantize<true>;
    table.lookup = lookup;
}

}  // namespace pagoda::simd

#endif

// Code scanning for AVX2: FastScan, the group filter, level-1 dot products. All integer sums are
// exact; the filter uses separate multiplications and additions to match the scalar bits.
#if defined(__x86_64__)

#include <immintrin.h>

#include "core/simd/levels.h"

namespace pagoda::simd {
namespace {

__m256i load(const void* p) {
    return _mm256_loadu_si256(static_cast<const __m256i*>(p));
}

// Sums of 16 lanes, kept as two halves: `pairs` adds whole 16-bit words (even byte plus 256 x odd
// byte, modulo 2^16), `odd` adds the odd bytes alone. Even lanes are pairs - 256 x odd, which is
// right modulo 2^16 whatever wrapped on the way.
struct LaneSums {
    __m256i pairs;
    __m256i odd;
};

LaneSums add_bytes(LaneSums sums, __m256i bytes) {
    return {_mm256_add_epi16(sums.pairs, bytes),
            _mm256_add_epi16(sums.odd, _mm256_srli_epi16(bytes, 8))};
}

// Adds the 16 lane sums to acc[0..15]. The two 128-bit halves hold different rows of the same
// lanes.
void flush(LaneSums sums, uint16_t* acc) {
    const __m256i even = _mm256_sub_epi16(sums.pairs, _mm256_slli_epi16(sums.odd, 8));
    const __m128i e =
        _mm_add_epi16(_mm256_castsi256_si128(even), _mm256_extracti128_si256(even, 1));
    const __m128i o =
        _mm_add_epi16(_mm256_castsi256_si128(sums.odd), _mm256_extracti128_si256(sums.odd, 1));
    auto* low = reinterpret_cast<__m128i*>(acc);
    auto* high = reinterpret_cast<__m128i*>(acc + 8);
    _mm_storeu_si128(low, _mm_add_epi16(_mm_loadu_si128(low), _mm_unpacklo_epi16(e, o)));
    _mm_storeu_si128(high, _mm_add_epi16(_mm_loadu_si128(high), _mm_unpackhi_epi16(e, o)));
}

// One step takes two rows in one register; two steps are added as bytes (2 x 127 < 256) before they
// are widened.
void fastscan(const uint8_t* codes, const uint8_t* table, size_t rows, uint16_t acc[32]) {
    const __m256i nibble = _mm256_set1_epi8(15);
    const __m256i zero = _mm256_setzero_si256();
    LaneSums low{zero, zero};
    LaneSums high{zero, zero};
    size_t row = 0;
    for (; row + 4 <= rows; row += 4, codes += 64, table += 64) {
        const __m256i c0 = load(codes);
        const __m256i c1 = load(codes + 32);
        const __m256i t0 = load(table);
        const __m256i t1 = load(table + 32);
        const __m256i l0 = _mm256_shuffle_epi8(t0, _mm256_and_si256(c0, nibble));
        const __m256i l1 = _mm256_shuffle_epi8(t1, _mm256_and_si256(c1, nibble));
        const __m256i h0 =
            _mm256_shuffle_epi8(t0, _mm256_and_si256(_mm256_srli_epi16(c0, 4), nibble));
        const __m256i h1 =
            _mm256_shuffle_epi8(t1, _mm256_and_si256(_mm256_srli_epi16(c1, 4), nibble));
        low = add_bytes(low, _mm256_add_epi8(l0, l1));
        high = add_bytes(high, _mm256_add_epi8(h0, h1));
    }
    for (; row < rows; ++row, codes += 16, table += 16) {
        const __m128i c = _mm_loadu_si128(reinterpret_cast<const __m128i*>(codes));
        const __m128i t = _mm_loadu_si128(reinterpret_cast<const __m128i*>(table));
        const __m128i mask = _mm256_castsi256_si128(nibble);
        const __m128i l = _mm_shuffle_epi8(t, _mm_and_si128(c, mask));
        const __m128i h = _mm_shuffle_epi8(t, _mm_and_si128(_mm_srli_epi16(c, 4), mask));
        low = add_bytes(low, _mm256_zextsi128_si256(l));
        high = add_bytes(high, _mm256_zextsi128_si256(h));
    }
    flush(low, acc);
    flush(high, acc + 16);
}

__m256 load_half(const uint16_t* p) {
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}

uint32_t filter(const uint32_t acc[32], const uint16_t add[32], const uint16_t s[32],
                const Kernels::FilterArgs* args, float lower[32], float estimate[32]) {
    const __m256 add_unit = _mm256_set1_ps(args->add_unit);
    const __m256 s_unit = _mm256_set1_ps(args->s_unit);
    const __m256 base = _mm256_set1_ps(args->base);
    const __m256 slope = _mm256_set1_ps(args->slope);
    const __m256 width = _mm256_set1_ps(args->width);
    const __m256 step = _mm256_set1_ps(args->step);
    const __m256 offset = _mm256_set1_ps(args->offset);
    const __m256 threshold = _mm256_set1_ps(args->threshold);
    uint32_t below = 0;
    for (size_t i = 0; i < 32; i += 8) {
        const __m256 scale = _mm256_mul_ps(load_half(s + i), s_unit);
        const __m256 ip =
            _mm256_add_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(load(acc + i)), step), offset);
        const __m256 constant = _mm256_add_ps(_mm256_mul_ps(load_half(add + i), add_unit), base);
        const __m256 guess =
            _mm256_add_ps(constant, _mm256_mul_ps(_mm256_mul_ps(slope, scale), ip));
        const __m256 bound = _mm256_sub_ps(guess, _mm256_mul_ps(width, scale));
        _mm256_storeu_ps(estimate + i, guess);
        _mm256_storeu_ps(lower + i, bound);
        const int bits = _mm256_movemask_ps(_mm256_cmp_ps(bound, threshold, _CMP_LT_OQ));
        below |= static_cast<uint32_t>(bits) << i;
    }
    return below;
}

// The sum of eight i32 lanes; each is below 2^31 in magnitude, the total need not be.
int64_t sum_lanes(__m256i v) {
    const __m256i low = _mm256_cvtepi32_epi64(_mm256_castsi256_si128(v));
    const __m256i high = _mm256_cvtepi32_epi64(_mm256_extracti128_si256(v, 1));
    const __m256i sum = _mm256_add_epi64(low, high);
    const __m128i half =
        _mm_add_epi64(_mm256_castsi256_si128(sum), _mm256_extracti128_si256(sum, 1));
    return _mm_cvtsi128_si64(half) + _mm_extract_epi64(half, 1);
}

__m256i widen(const uint8_t* p) {
    return _mm256_cvtepu8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}

// A lane of one accumulator takes a pair of products per 32 elements: at n = 16,384 it holds at
// most 1024 products of 255 x 2047, below 2^30, so no flush is needed.
int64_t dot_u8_i16(const uint8_t* code, const int16_t* query, size_t n) {
    __m256i s0 = _mm256_setzero_si256();
    __m256i s1 = s0;
    size_t i = 0;
    for (; i + 32 <= n; i += 32) {
        s0 = _mm256_add_epi32(s0, _mm256_madd_epi16(widen(code + i), load(query + i)));
        s1 = _mm256_add_epi32(s1, _mm256_madd_epi16(widen(code + i + 16), load(query + i + 16)));
    }
    int64_t tail = 0;
    for (; i < n; ++i) tail += int32_t{code[i]} * int32_t{query[i]};
    return sum_lanes(s0) + sum_lanes(s1) + tail;
}

// 32 bytes are 64 dimensions. The nibbles are put in dimension order by unpacking low and high
// halves; unpack works within 128-bit parts, so each part covers 32 consecutive dimensions.
int64_t dot_u4_i16(const uint8_t* code, const int16_t* query, size_t n) {
    const __m128i nibble = _mm_set1_epi8(15);
    __m256i s0 = _mm256_setzero_si256();
    __m256i s1 = s0;
    size_t i = 0;
    for (; i + 32 <= n; i += 32) {
        const __m128i c = _mm_loadu_si128(reinterpret_cast<const __m128i*>(code + i / 2));
        const __m128i even = _mm_and_si128(c, nibble);
        const __m128i odd = _mm_and_si128(_mm_srli_epi16(c, 4), nibble);
        const __m256i u0 = _mm256_cvtepu8_epi16(_mm_unpacklo_epi8(even, odd));
        const __m256i u1 = _mm256_cvtepu8_epi16(_mm_unpackhi_epi8(even, odd));
        s0 = _mm256_add_epi32(s0, _mm256_madd_epi16(u0, load(query + i)));
        s1 = _mm256_add_epi32(s1, _mm256_madd_epi16(u1, load(query + i + 16)));
    }
    int64_t tail = 0;
    for (; i < n; i += 2) {
        tail += int32_t{code[i / 2] & 15} * int32_t{query[i]};
        tail += int32_t{code[i / 2] >> 4} * int32_t{query[i + 1]};
    }
    return sum_lanes(s0) + sum_lanes(s1) + tail;
}

}  // namespace

void enter_codes_avx2(Kernels& table) {
    table.fastscan = fastscan;
    table.filter = filter;
    table.dot_u8_i16 = dot_u8_i16;
    table.dot_u4_i16 = dot_u4_i16;
}

}  // namespace pagoda::simd

#endif

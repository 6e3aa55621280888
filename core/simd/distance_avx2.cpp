// Distances and half conversions for AVX2 + FMA + F16C. Four accumulators of eight lanes hide the
// latency of the fused multiply-add. Nothing here may have external or inline linkage besides the
// entry function: a shared inline function compiled with these flags could replace the baseline
// copy.
#if defined(__x86_64__)

#include <immintrin.h>

#include "core/simd/levels.h"

namespace pagoda::simd {
namespace {

alignas(32) const int32_t tail_masks[16] = {-1, -1, -1, -1, -1, -1, -1, -1, 0, 0, 0, 0, 0, 0, 0, 0};

__m256i mask_of(size_t count) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(tail_masks + 8 - count));
}

__m256 load(const float* p) {
    return _mm256_loadu_ps(p);
}
__m256 load(const uint16_t* p) {
    return _mm256_cvtph_ps(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p)));
}

// The first `count` < 8 elements, zeros after them.
__m256 load_tail(const float* p, size_t count) {
    return _mm256_maskload_ps(p, mask_of(count));
}
__m256 load_tail(const uint16_t* p, size_t count) {
    alignas(16) uint16_t padded[8] = {};
    for (size_t i = 0; i < count; ++i) padded[i] = p[i];
    return _mm256_cvtph_ps(_mm_load_si128(reinterpret_cast<const __m128i*>(padded)));
}

float sum_lanes(__m256 v) {
    __m128 x = _mm_add_ps(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1));
    x = _mm_add_ps(x, _mm_movehl_ps(x, x));
    return _mm_cvtss_f32(_mm_add_ss(x, _mm_movehdup_ps(x)));
}

struct SquaredDifference {
    static __m256 add(__m256 sum, __m256 a, __m256 b) {
        const __m256 d = _mm256_sub_ps(a, b);
        return _mm256_fmadd_ps(d, d, sum);
    }
};

struct Product {
    static __m256 add(__m256 sum, __m256 a, __m256 b) { return _mm256_fmadd_ps(a, b, sum); }
};

struct AbsoluteDifference {
    static __m256 add(__m256 sum, __m256 a, __m256 b) {
        const __m256 d = _mm256_sub_ps(a, b);
        return _mm256_add_ps(sum, _mm256_andnot_ps(_mm256_set1_ps(-0.0f), d));
    }
};

template <class Term, class A, class B>
float sum_of(const A* a, const B* b, size_t n) {
    __m256 s0 = _mm256_setzero_ps();
    __m256 s1 = s0;
    __m256 s2 = s0;
    __m256 s3 = s0;
    size_t i = 0;
    for (; i + 32 <= n; i += 32) {
        s0 = Term::add(s0, load(a + i), load(b + i));
        s1 = Term::add(s1, load(a + i + 8), load(b + i + 8));
        s2 = Term::add(s2, load(a + i + 16), load(b + i + 16));
        s3 = Term::add(s3, load(a + i + 24), load(b + i + 24));
    }
    for (; i + 8 <= n; i += 8) s0 = Term::add(s0, load(a + i), load(b + i));
    if (i < n) s1 = Term::add(s1, load_tail(a + i, n - i), load_tail(b + i, n - i));
    return sum_lanes(_mm256_add_ps(_mm256_add_ps(s0, s1), _mm256_add_ps(s2, s3)));
}

template <class T>
void cosine(const T* a, const T* b, size_t n, float out[3]) {
    __m256 ab[2] = {_mm256_setzero_ps(), _mm256_setzero_ps()};
    __m256 aa[2] = {ab[0], ab[0]};
    __m256 bb[2] = {ab[0], ab[0]};
    const auto add = [&](int which, __m256 x, __m256 y) __attribute__((always_inline)) {
        ab[which] = _mm256_fmadd_ps(x, y, ab[which]);
        aa[which] = _mm256_fmadd_ps(x, x, aa[which]);
        bb[which] = _mm256_fmadd_ps(y, y, bb[which]);
    };
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        add(0, load(a + i), load(b + i));
        add(1, load(a + i + 8), load(b + i + 8));
    }
    for (; i + 8 <= n; i += 8) add(0, load(a + i), load(b + i));
    if (i < n) add(1, load_tail(a + i, n - i), load_tail(b + i, n - i));
    out[0] = sum_lanes(_mm256_add_ps(ab[0], ab[1]));
    out[1] = sum_lanes(_mm256_add_ps(aa[0], aa[1]));
    out[2] = sum_lanes(_mm256_add_ps(bb[0], bb[1]));
}

void f16_to_f32(const uint16_t* source, float* target, size_t n) {
    size_t i = 0;
    for (; i + 8 <= n; i += 8) _mm256_storeu_ps(target + i, load(source + i));
    if (i < n) _mm256_maskstore_ps(target + i, mask_of(n - i), load_tail(source + i, n - i));
}

void f32_to_f16(const float* source, uint16_t* target, size_t n) {
    constexpr int nearest_even = _MM_FROUND_TO_NEAREST_INT;
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        _mm_storeu_si128(reinterpret_cast<__m128i*>(target + i),
                         _mm256_cvtps_ph(load(source + i), nearest_even));
    }
    if (i < n) {
        alignas(16) uint16_t padded[8];
        _mm_store_si128(reinterpret_cast<__m128i*>(padded),
                        _mm256_cvtps_ph(load_tail(source + i, n - i), nearest_even));
        for (size_t j = 0; i + j < n; ++j) target[i + j] = padded[j];
    }
}

}  // namespace

void enter_distance_avx2(Kernels& table) {
    table.l2_f32 = sum_of<SquaredDifference, float, float>;
    table.dot_f32 = sum_of<Product, float, float>;
    table.l1_f32 = sum_of<AbsoluteDifference, float, float>;
    table.l2_f16 = sum_of<SquaredDifference, uint16_t, uint16_t>;
    table.dot_f16 = sum_of<Product, uint16_t, uint16_t>;
    table.l1_f16 = sum_of<AbsoluteDifference, uint16_t, uint16_t>;
    table.dot_f32_f16 = sum_of<Product, float, uint16_t>;
    table.l2_f32_f16 = sum_of<SquaredDifference, float, uint16_t>;
    table.cosine_f32 = cosine<float>;
    table.cosine_f16 = cosine<uint16_t>;
    table.f16_to_f32 = f16_to_f32;
    table.f32_to_f16 = f32_to_f16;
}

}  // namespace pagoda::simd

#endif

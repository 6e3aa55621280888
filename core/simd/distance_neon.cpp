// Distances and half conversions for AArch64 NEON. Four accumulators of four lanes. Only intrinsics
// and static functions, as in the other instruction-set files.
#if defined(__aarch64__)

#include <arm_neon.h>

#include "core/simd/levels.h"

namespace pagoda::simd {
namespace {

float32x4_t load(const float* p) {
    return vld1q_f32(p);
}
float32x4_t load(const uint16_t* p) {
    return vcvt_f32_f16(vreinterpret_f16_u16(vld1_u16(p)));
}

// The first `count` < 4 elements, zeros after them.
template <class T>
float32x4_t load_tail(const T* p, size_t count) {
    T padded[4] = {};
    for (size_t i = 0; i < count; ++i) padded[i] = p[i];
    return load(padded);
}

struct SquaredDifference {
    static float32x4_t add(float32x4_t sum, float32x4_t a, float32x4_t b) {
        const float32x4_t d = vsubq_f32(a, b);
        return vfmaq_f32(sum, d, d);
    }
};

struct Product {
    static float32x4_t add(float32x4_t sum, float32x4_t a, float32x4_t b) {
        return vfmaq_f32(sum, a, b);
    }
};

struct AbsoluteDifference {
    static float32x4_t add(float32x4_t sum, float32x4_t a, float32x4_t b) {
        return vaddq_f32(sum, vabdq_f32(a, b));
    }
};

template <class Term, class A, class B>
float sum_of(const A* a, const B* b, size_t n) {
    float32x4_t s0 = vdupq_n_f32(0);
    float32x4_t s1 = s0;
    float32x4_t s2 = s0;
    float32x4_t s3 = s0;
    size_t i = 0;
    for (; i + 16 <= n; i += 16) {
        s0 = Term::add(s0, load(a + i), load(b + i));
        s1 = Term::add(s1, load(a + i + 4), load(b + i + 4));
        s2 = Term::add(s2, load(a + i + 8), load(b + i + 8));
        s3 = Term::add(s3, load(a + i + 12), load(b + i + 12));
    }
    for (; i + 4 <= n; i += 4) s0 = Term::add(s0, load(a + i), load(b + i));
    if (i < n) s1 = Term::add(s1, load_tail(a + i, n - i), load_tail(b + i, n - i));
    return vaddvq_f32(vaddq_f32(vaddq_f32(s0, s1), vaddq_f32(s2, s3)));
}

template <class T>
void cosine(const T* a, const T* b, size_t n, float out[3]) {
    float32x4_t ab0 = vdupq_n_f32(0), ab1 = ab0, aa0 = ab0, aa1 = ab0, bb0 = ab0, bb1 = ab0;
    size_t i = 0;
    for (; i + 8 <= n; i += 8) {
        const float32x4_t x0 = load(a + i), x1 = load(a + i + 4);
        const float32x4_t y0 = load(b + i), y1 = load(b + i + 4);
        ab0 = vfmaq_f32(ab0, x0, y0), ab1 = vfmaq_f32(ab1, x1, y1);
        aa0 = vfmaq_f32(aa0, x0, x0), aa1 = vfmaq_f32(aa1, x1, x1);
        bb0 = vfmaq_f32(bb0, y0, y0), bb1 = vfmaq_f32(bb1, y1, y1);
    }
    for (; i < n; i += 4) {
        const bool is_whole = i + 4 <= n;
        const float32x4_t x = is_whole ? load(a + i) : load_tail(a + i, n - i);
        const float32x4_t y = is_whole ? load(b + i) : load_tail(b + i, n - i);
        ab0 = vfmaq_f32(ab0, x, y), aa0 = vfmaq_f32(aa0, x, x), bb0 = vfmaq_f32(bb0, y, y);
    }
    out[0] = vaddvq_f32(vaddq_f32(ab0, ab1));
    out[1] = vaddvq_f32(vaddq_f32(aa0, aa1));
    out[2] = vaddvq_f32(vaddq_f32(bb0, bb1));
}

void f16_to_f32(const uint16_t* source, float* target, size_t n) {
    size_t i = 0;
    for (; i + 4 <= n; i += 4) vst1q_f32(target + i, load(source + i));
    if (i < n) {
        float values[4];
        vst1q_f32(values, load_tail(source + i, n - i));
        for (size_t j = 0; i + j < n; ++j) target[i + j] = values[j];
    }
}

void f32_to_f16(const float* source, uint16_t* target, size_t n) {
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        vst1_u16(target + i, vreinterpret_u16_f16(vcvt_f16_f32(load(source + i))));
    }
    if (i < n) {
        uint16_t halves[4];
        vst1_u16(halves, vreinterpret_u16_f16(vcvt_f16_f32(load_tail(source + i, n - i))));
        for (size_t j = 0; i + j < n; ++j) target[i + j] = halves[j];
    }
}

}  // namespace

void enter_distance_neon(Kernels& table) {
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

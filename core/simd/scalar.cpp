// The plain implementation of every kernel: the oracle of the others, and what runs on a machine
// without a vector level. Written for clarity; sums use four accumulators so that the processor is
// not held up by one chain of additions.
#include <cmath>

#include "core/simd/half_bits.h"
#include "core/simd/levels.h"

namespace pagoda::simd {
namespace {

float widen(float value) {
    return value;
}
float widen(uint16_t value) {
    return f32_from_f16(value);
}

// Sum over i of term(a[i], b[i]).
template <class A, class B, class Term>
float sum_of(const A* a, const B* b, size_t n, Term term) {
    float sums[4] = {0, 0, 0, 0};
    size_t i = 0;
    for (; i + 4 <= n; i += 4) {
        for (size_t j = 0; j < 4; ++j) sums[j] += term(widen(a[i + j]), widen(b[i + j]));
    }
    for (; i < n; ++i) sums[0] += term(widen(a[i]), widen(b[i]));
    return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

float squared_difference(float a, float b) {
    return (a - b) * (a - b);
}
float product(float a, float b) {
    return a * b;
}
float absolute_difference(float a, float b) {
    return std::fabs(a - b);
}

template <class A, class B>
float l2(const A* a, const B* b, size_t n) {
    return sum_of(a, b, n, squared_difference);
}

template <class A, class B>
float dot(const A* a, const B* b, size_t n) {
    return sum_of(a, b, n, product);
}

template <class A, class B>
float l1(const A* a, const B* b, size_t n) {
    return sum_of(a, b, n, absolute_difference);
}

template <class T>
void cosine(const T* a, const T* b, size_t n, float out[3]) {
    out[0] = dot(a, b, n);
    out[1] = dot(a, a, n);
    out[2] = dot(b, b, n);
}

void f16_to_f32(const uint16_t* source, float* target, size_t n) {
    for (size_t i = 0; i < n; ++i) target[i] = f32_from_f16(source[i]);
}

void f32_to_f16(const float* source, uint16_t* target, size_t n) {
    for (size_t i = 0; i < n; ++i) target[i] = f16_from_f32(source[i]);
}

void fastscan(const uint8_t* codes, const uint8_t* table, size_t rows, uint16_t acc[32]) {
    for (size_t row = 0; row < rows; ++row, codes += 16, table += 16) {
        for (size_t j = 0; j < 16; ++j) {
            acc[j] = static_cast<uint16_t>(acc[j] + table[codes[j] & 15]);
            acc[j + 16] = static_cast<uint16_t>(acc[j + 16] + table[codes[j] >> 4]);
        }
    }
}

uint32_t filter(const uint32_t acc[32], const uint16_t add[32], const uint16_t s[32],
                const Kernels::FilterArgs* args, float lower[32], float estimate[32]) {
    uint32_t below = 0;
    for (size_t i = 0; i < 32; ++i) {
        const float scale = f32_from_f16(s[i]) * args->s_unit;
        const float ip =
            static_cast<float>(static_cast<int32_t>(acc[i])) * args->step + args->offset;
        estimate[i] =
            (f32_from_f16(add[i]) * args->add_unit + args->base) + args->slope * scale * ip;
        lower[i] = estimate[i] - args->width * scale;
        if (lower[i] < args->threshold) below |= 1u << i;
    }
    return below;
}

int64_t dot_u8_i16(const uint8_t* code, const int16_t* query, size_t n) {
    int64_t sum = 0;
    for (size_t i = 0; i < n; ++i) sum += int32_t{code[i]} * int32_t{query[i]};
    return sum;
}

int64_t dot_u4_i16(const uint8_t* code, const int16_t* query, size_t n) {
    int64_t sum = 0;
    for (size_t i = 0; i < n; i += 2) {
        sum += int32_t{code[i / 2] & 15} * int32_t{query[i]};
        sum += int32_t{code[i / 2] >> 4} * int32_t{query[i + 1]};
    }
    return sum;
}

void hadamard(float* x, size_t n, float scale) {
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

void flip_signs(float* x, const uint8_t* bits, size_t n) {
    for (size_t i = 0; i < n; ++i) {
        if ((bits[i / 8] >> (i % 8) & 1) != 0) x[i] = -x[i];
    }
}

void givens_mix(float* x, size_t n) {
    constexpr float root = 0.70710678118654752440f;
    for (size_t i = 0; i < n / 2; ++i) {
        const float a = x[i];
        const float b = x[i + n / 2];
        x[i] = (a + b) * root;
        x[i + n / 2] = (a - b) * root;
    }
}

void gemm(const float* a, size_t rows, const float* b, size_t columns, size_t depth, float* out,
          size_t out_stride, float* /*workspace*/) {
    for (size_t i = 0; i < rows; ++i) {
        for (size_t j = 0; j < columns; ++j) {
            out[i * out_stride + j] = dot(a + i * depth, b + j * depth, depth);
        }
    }
}

}  // namespace

void enter_scalar(Kernels& table) {
    table.l2_f32 = l2<float, float>;
    table.dot_f32 = dot<float, float>;
    table.l1_f32 = l1<float, float>;
    table.l2_f16 = l2<uint16_t, uint16_t>;
    table.dot_f16 = dot<uint16_t, uint16_t>;
    table.l1_f16 = l1<uint16_t, uint16_t>;
    table.dot_f32_f16 = dot<float, uint16_t>;
    table.l2_f32_f16 = l2<float, uint16_t>;
    table.cosine_f32 = cosine<float>;
    table.cosine_f16 = cosine<uint16_t>;
    table.f16_to_f32 = f16_to_f32;
    table.f32_to_f16 = f32_to_f16;
    table.fastscan = fastscan;
    table.filter = filter;
    table.dot_u8_i16 = dot_u8_i16;
    table.dot_u4_i16 = dot_u4_i16;
    table.hadamard = hadamard;
    table.flip_signs = flip_signs;
    table.givens_mix = givens_mix;
    table.gemm = gemm;
}

}  // namespace pagoda::simd

// The plain implementation of the kernels that make codes and lookup tables.
#include <cmath>

#include "core/simd/levels.h"

namespace pagoda::simd {
namespace {

void residual_sums(const float* z, const float* c, const float* m, size_t n, uint8_t* bits,
                   Kernels::ResidualSums* sums) {
    *sums = {};
    for (size_t i = 0; i < n / 8; ++i) bits[i] = 0;
    for (size_t i = 0; i < n; ++i) {
        const double r = z[i] - c[i];
        const bool positive = r >= 0;
        if (positive) bits[i / 8] = static_cast<uint8_t>(bits[i / 8] | 1u << (i % 8));
        sums->norm2 += r * r;
        sums->absolute += std::fabs(r);
        sums->sign_dot_c += positive ? double{c[i]} : -double{c[i]};
        sums->dot_c += r * double{c[i]};
        sums->z_norm2 += double{z[i]} * double{z[i]};
        if (m != nullptr) sums->z_dot_m += double{z[i]} * double{m[i]};
    }
}

struct Quantized {
    int code;
    double magnitude;  // l + 1/2
};

Quantized quantize(float z, float factor, int half_levels) {
    const float scaled = std::fabs(z) * factor;
    const int top = half_levels - 1;
    const int level = scaled < static_cast<float>(top) ? static_cast<int>(scaled) : top;
    return {z >= 0 ? half_levels + level : top - level, level + 0.5};
}

void quantize_u8(const float* z, size_t n, float factor, uint8_t* code, Kernels::LevelSums* sums) {
    *sums = {};
    for (size_t i = 0; i < n; ++i) {
        const Quantized q = quantize(z[i], factor, 128);
        code[i] = static_cast<uint8_t>(q.code);
        sums->z_dot_y += std::fabs(double{z[i]}) * q.magnitude;
        sums->y_norm2 += q.magnitude * q.magnitude;
    }
}

void quantize_u4(const float* z, size_t n, float factor, uint8_t* code, Kernels::LevelSums* sums) {
    *sums = {};
    for (size_t i = 0; i < n; ++i) {
        const Quantized q = quantize(z[i], factor, 8);
        const int before = i % 2 == 0 ? 0 : code[i / 2];
        code[i / 2] = static_cast<uint8_t>(before | q.code << (i % 2 * 4));
        sums->z_dot_y += std::fabs(double{z[i]}) * q.magnitude;
        sums->y_norm2 += q.magnitude * q.magnitude;
    }
}

// Starts from the entry of all negative bits; each set bit then adds v (|v| comes in where v is
// positive and goes out where it is negative).
void lookup(const float* w, size_t rows, float factor, uint8_t* table) {
    for (size_t row = 0; row < rows; ++row) {
        float v[4];
        float negative[4];
        for (size_t i = 0; i < 4; ++i) {
            v[i] = w[row * 4 + i] * factor;
            negative[i] = v[i] < 0 ? -v[i] : 0.0f;
        }
        const float start = (negative[0] + negative[1]) + (negative[2] + negative[3]);
        for (size_t b = 0; b < 16; ++b) {
            float sum = start;
            for (size_t i = 0; i < 4; ++i) sum += (b >> i & 1) != 0 ? v[i] : 0.0f;
            const long rounded = std::lrint(sum);
            const long held = rounded < 0 ? 0 : rounded > 127 ? 127 : rounded;
            table[row * 16 + b] = static_cast<uint8_t>(held);
        }
    }
}

}  // namespace

void enter_scalar_encoding(Kernels& table) {
    table.residual_sums = residual_sums;
    table.quantize_u8 = quantize_u8;
    table.quantize_u4 = quantize_u4;
    table.lookup = lookup;
}

}  // namespace pagoda::simd

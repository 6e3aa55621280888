// Thin layer over the kernel table: picks the kernel of the element type and finishes in f64.
#include "core/vector/distance.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>

#include "core/base/check.h"
#include "core/simd/kernels.h"

namespace pagoda {
namespace {

const uint16_t* bits_of(std::span<const Half> values) {
    return reinterpret_cast<const uint16_t*>(values.data());
}

// Independent chains of additions, so that the processor need not wait for one sum.
constexpr size_t lanes = 8;

// The square of any float is a normal f64, so the sum needs no scaling.
void add_squares(std::span<const float> values, double (&sums)[lanes]) {
    const size_t whole = values.size() / lanes * lanes;
    for (size_t i = 0; i < whole; i += lanes) {
        for (size_t lane = 0; lane < lanes; ++lane) {
            const double value = values[i + lane];
            sums[lane] += value * value;
        }
    }
    for (size_t i = whole; i < values.size(); ++i) {
        const double value = values[i];
        sums[i - whole] += value * value;
    }
}

// Leaves NaN as it is.
double limit_to_one(double value) {
    if (value > 1) return 1;
    if (value < -1) return -1;
    return value;
}

}  // namespace

template <Element E>
double l2_squared(std::span<const E> a, std::span<const E> b) {
    check(a.size() == b.size());
    const simd::Kernels& kernels = simd::kernels();
    if constexpr (std::is_same_v<E, Half>) {
        return kernels.l2_f16(bits_of(a), bits_of(b), a.size());
    } else {
        return kernels.l2_f32(a.data(), b.data(), a.size());
    }
}

template <Element E>
double dot(std::span<const E> a, std::span<const E> b) {
    check(a.size() == b.size());
    const simd::Kernels& kernels = simd::kernels();
    if constexpr (std::is_same_v<E, Half>) {
        return kernels.dot_f16(bits_of(a), bits_of(b), a.size());
    } else {
        return kernels.dot_f32(a.data(), b.data(), a.size());
    }
}

template <Element E>
double l1(std::span<const E> a, std::span<const E> b) {
    check(a.size() == b.size());
    const simd::Kernels& kernels = simd::kernels();
    if constexpr (std::is_same_v<E, Half>) {
        return kernels.l1_f16(bits_of(a), bits_of(b), a.size());
    } else {
        return kernels.l1_f32(a.data(), b.data(), a.size());
    }
}

template <Element E>
double cosine(std::span<const E> a, std::span<const E> b) {
    check(a.size() == b.size());
    const simd::Kernels& kernels = simd::kernels();
    float sums[3];
    if constexpr (std::is_same_v<E, Half>) {
        kernels.cosine_f16(bits_of(a), bits_of(b), a.size(), sums);
    } else {
        kernels.cosine_f32(a.data(), b.data(), a.size(), sums);
    }
    // The product of two squared norms overflows f32 long before the norms do, so it is f64.
    const double norms = std::sqrt(static_cast<double>(sums[1]) * static_cast<double>(sums[2]));
    return 1 - limit_to_one(static_cast<double>(sums[0]) / norms);
}

template <Element E>
double spherical(std::span<const E> a, std::span<const E> b) {
    return std::acos(limit_to_one(dot(a, b))) / std::numbers::pi;
}

template <Element E>
double norm(std::span<const E> values) {
    double sums[lanes] = {};
    if constexpr (std::is_same_v<E, Half>) {
        float piece[256];
        for (size_t start = 0; start < values.size(); start += std::size(piece)) {
            const size_t count = std::min(std::size(piece), values.size() - start);
            simd::kernels().f16_to_f32(bits_of(values) + start, piece, count);
            add_squares({piece, count}, sums);
        }
    } else {
        add_squares(values, sums);
    }
    double total = 0;
    for (const double sum : sums) total += sum;
    return std::sqrt(total);
}

template double l2_squared<float>(std::span<const float>, std::span<const float>);
template double l2_squared<Half>(std::span<const Half>, std::span<const Half>);
template double dot<float>(std::span<const float>, std::span<const float>);
template double dot<Half>(std::span<const Half>, std::span<const Half>);
template double l1<float>(std::span<const float>, std::span<const float>);
template double l1<Half>(std::span<const Half>, std::span<const Half>);
template double cosine<float>(std::span<const float>, std::span<const float>);
template double cosine<Half>(std::span<const Half>, std::span<const Half>);
template double spherical<float>(std::span<const float>, std::span<const float>);
template double spherical<Half>(std::span<const Half>, std::span<const Half>);
template double norm<float>(std::span<const float>);
template double norm<Half>(std::span<const Half>);

}  // namespace pagoda

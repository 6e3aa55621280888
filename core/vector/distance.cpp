// Thin layer over the kernel table: picks the kernel of the element type and finishes in f64.
#include "core/vector/distance.h"

#include <cmath>
#include <numbers>

#include "core/base/check.h"
#include "core/simd/kernels.h"

namespace pagoda {
namespace {

const uint16_t* bits_of(std::span<const Half> values) {
    return reinterpret_cast<const uint16_t*>(values.data());
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

// One addition chain a lane: the f64 sum of squares of one pass is exact enough to need no scaling,
// since the square of any float is a normal f64.
template <Element E>
double norm(std::span<const E> values) {
    double sums[4] = {};
    size_t i = 0;
    for (; i + 4 <= values.size(); i += 4) {
        for (size_t lane = 0; lane < 4; ++lane) {
            const double value = to_float(values[i + lane]);
            sums[lane] += value * value;
        }
    }
    for (; i < values.size(); ++i) {
        const double value = to_float(values[i]);
        sums[0] += value * value;
    }
    return std::sqrt((sums[0] + sums[1]) + (sums[2] + sums[3]));
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

// Arithmetic runs in pieces through f32, so that both element types share one loop for values and
// one for faults.
#include "core/vector/arithmetic.h"

#include <algorithm>
#include <cstring>

#include "core/base/bits.h"
#include "core/base/check.h"
#include "core/simd/kernels.h"
#include "core/vector/distance.h"

namespace pagoda {
namespace {

// Halves are widened and narrowed in pieces of this many elements, which stay in the first-level
// cache.
constexpr size_t piece_max = 256;

struct Add {
    static constexpr bool may_underflow = false;
    static float apply(float a, float b) { return a + b; }
};
struct Subtract {
    static constexpr bool may_underflow = false;
    static float apply(float a, float b) { return a - b; }
};
struct Multiply {
    static constexpr bool may_underflow = true;
    static float apply(float a, float b) { return a * b; }
};

// Sources are finite, so an infinite result is an overflow.
template <class Operation, Element E>
RangeFault find_fault(std::span<const float> a, std::span<const float> b,
                      std::span<const E> result) {
    for (size_t i = 0; i < result.size(); ++i) {
        if (is_infinite(result[i])) return RangeFault::overflow;
        if constexpr (Operation::may_underflow) {
            const bool is_factor_zero = a[i] == 0 || b[i] == 0;
            if (to_float(result[i]) == 0 && !is_factor_zero) return RangeFault::underflow;
        }
    }
    return RangeFault::none;
}

template <class Operation>
RangeFault apply_piece(std::span<const float> a, std::span<const float> b,
                       std::span<float> target) {
    float result[piece_max];
    for (size_t i = 0; i < a.size(); ++i) result[i] = Operation::apply(a[i], b[i]);
    const RangeFault fault = find_fault<Operation>(a, b, std::span<const float>(result, a.size()));
    std::memcpy(target.data(), result, a.size() * sizeof(float));
    return fault;
}

template <class Operation>
RangeFault apply_piece(std::span<const Half> a, std::span<const Half> b, std::span<Half> target) {
    float wide_a[piece_max], wide_b[piece_max], result[piece_max];
    convert(a, std::span<float>(wide_a, a.size()));
    convert(b, std::span<float>(wide_b, b.size()));
    for (size_t i = 0; i < a.size(); ++i) result[i] = Operation::apply(wide_a[i], wide_b[i]);
    convert(std::span<const float>(result, a.size()), target);
    return find_fault<Operation>(std::span<const float>(wide_a, a.size()),
                                 std::span<const float>(wide_b, b.size()),
                                 std::span<const Half>(target));
}

template <class Operation, Element E>
RangeFault apply(std::span<const E> a, std::span<const E> b, std::span<E> target) {
    check(a.size() == b.size());
    check(a.size() == target.size());
    for (size_t start = 0; start < a.size(); start += piece_max) {
        const size_t count = std::min(piece_max, a.size() - start);
        const RangeFault fault = apply_piece<Operation>(
            a.subspan(start, count), b.subspan(start, count), target.subspan(start, count));
        if (fault != RangeFault::none) return fault;
    }
    return RangeFault::none;
}

}  // namespace

template <Element E>
RangeFault add(std::span<const E> a, std::span<const E> b, std::span<E> target) {
    return apply<Add>(a, b, target);
}

template <Element E>
RangeFault subtract(std::span<const E> a, std::span<const E> b, std::span<E> target) {
    return apply<Subtract>(a, b, target);
}

template <Element E>
RangeFault multiply(std::span<const E> a, std::span<const E> b, std::span<E> target) {
    return apply<Multiply>(a, b, target);
}

template <Element E>
void normalize(std::span<const E> values, std::span<E> target) {
    check(values.size() == target.size());
    const double length = norm(values);
    if (length == 0) {
        std::memset(target.data(), 0, target.size_bytes());
        return;
    }
    for (size_t i = 0; i < values.size(); ++i) {
        target[i] = to_element<E>(static_cast<float>(to_float(values[i]) / length));
    }
}

template <Element E>
int compare(std::span<const E> a, std::span<const E> b) {
    const size_t count = std::min(a.size(), b.size());
    for (size_t i = 0; i < count; ++i) {
        const float left = to_float(a[i]);
        const float right = to_float(b[i]);
        if (left < right) return -1;
        if (left > right) return 1;
    }
    if (a.size() == b.size()) return 0;
    return a.size() < b.size() ? -1 : 1;
}

template <Element E>
void quantize_signs(std::span<const E> values, std::span<uint8_t> target) {
    check(target.size() == divide_up(values.size(), 8));
    std::memset(target.data(), 0, target.size());
    for (size_t i = 0; i < values.size(); ++i) {
        const unsigned bit = to_float(values[i]) > 0;
        target[i / 8] = static_cast<uint8_t>(target[i / 8] | bit << (7 - i % 8));
    }
}

void convert(std::span<const Half> source, std::span<float> target) {
    check(source.size() == target.size());
    simd::kernels().f16_to_f32(reinterpret_cast<const uint16_t*>(source.data()), target.data(),
                               source.size());
}

size_t convert(std::span<const float> source, std::span<Half> target) {
    check(source.size() == target.size());
    simd::kernels().f32_to_f16(source.data(), reinterpret_cast<uint16_t*>(target.data()),
                               source.size());
    for (size_t i = 0; i < source.size(); ++i) {
        if (is_infinite(target[i]) && !is_infinite(source[i])) return i;
    }
    return source.size();
}

template RangeFault add<float>(std::span<const float>, std::span<const float>, std::span<float>);
template RangeFault add<Half>(std::span<const Half>, std::span<const Half>, std::span<Half>);
template RangeFault subtract<float>(std::span<const float>, std::span<const float>,
                                    std::span<float>);
template RangeFault subtract<Half>(std::span<const Half>, std::span<const Half>, std::span<Half>);
template RangeFault multiply<float>(std::span<const float>, std::span<const float>,
                                    std::span<float>);
template RangeFault multiply<Half>(std::span<const Half>, std::span<const Half>, std::span<Half>);
template void normalize<float>(std::span<const float>, std::span<float>);
template void normalize<Half>(std::span<const Half>, std::span<Half>);
template int compare<float>(std::span<const float>, std::span<const float>);
template int compare<Half>(std::span<const Half>, std::span<const Half>);
template void quantize_signs<float>(std::span<const float>, std::span<uint8_t>);
template void quantize_signs<Half>(std::span<const Half>, std::span<uint8_t>);

}  // namespace pagoda

// Element-wise arithmetic, normalisation, comparison and the array form conversions of dense
// vectors. Halves are computed in f32 and rounded once: f32 has more than twice the digits of a
// half, so the result is the correctly rounded one. All spans of a call have the same length;
// `target` may be one of the sources.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/vector/element.h"

namespace pagoda {

enum class RangeFault : uint8_t { none, overflow, underflow };

// The fault of the first element that has one. Underflow is reported by multiply only: a zero
// product of factors that are not zero.
template <Element E>
RangeFault add(std::span<const E> a, std::span<const E> b, std::span<E> target);
template <Element E>
RangeFault subtract(std::span<const E> a, std::span<const E> b, std::span<E> target);
template <Element E>
RangeFault multiply(std::span<const E> a, std::span<const E> b, std::span<E> target);

// values / |values|; a zero vector gives positive zeros. No element can exceed one in magnitude
// before rounding, so there is no overflow.
template <Element E>
void normalize(std::span<const E> values, std::span<E> target);

// -1, 0 or 1: by the first elements that differ in value, then by length.
template <Element E>
int compare(std::span<const E> a, std::span<const E> b);

// Bit i of the result is set when element i is positive; bit 0 is the highest bit of byte 0.
// `target` has divide_up(values.size(), 8) bytes; the unused bits become zero.
template <Element E>
void quantize_signs(std::span<const E> values, std::span<uint8_t> target);

void convert(std::span<const Half> source, std::span<float> target);

// Rounds each element. Returns the index of the first finite element that is beyond the range of
// a half, or source.size(); such elements become infinite.
size_t convert(std::span<const float> source, std::span<Half> target);

}  // namespace pagoda

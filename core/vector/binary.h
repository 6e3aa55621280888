// The binary form of dense vectors, as clients send and receive it, in network byte order:
//
//   offset  size  content
//        0     2  number of elements, int16, 1..dimensions_max
//        2     2  zero
//        4   4*d  elements: IEEE single for `vector`
//        4   2*d            IEEE half for `halfvec`
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/vector/element.h"

namespace pagoda {

inline constexpr size_t binary_header_bytes = 4;

struct BinaryHeader {
    int16_t dimensions;
    int16_t unused;
};

// No value is refused here; the caller checks both fields.
BinaryHeader decode_header(std::span<const std::byte, binary_header_bytes> source);

// Decodes source.size() / sizeof(E) elements, at most target.size(). Stops at the first one that is
// NaN or infinite and says which it was; `target` then has the elements before it.
template <Element E>
Finiteness decode_elements(std::span<const std::byte> source, std::span<E> target);

template <Element E>
constexpr size_t binary_bytes(size_t count) {
    return binary_header_bytes + count * sizeof(E);
}

// Writes header and elements; `target` has binary_bytes<E>(values.size()) bytes.
template <Element E>
void encode(std::span<const E> values, std::span<std::byte> target);

}  // namespace pagoda

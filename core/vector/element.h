// The two element types of dense vectors, float (type `vector`) and Half (type `halfvec`), under
// common names, so that parsing, codecs and the SQL functions are written once.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/vector/half.h"

namespace pagoda {

// The limit of both types. It keeps the dimension in the int16 of the stored form.
inline constexpr size_t dimensions_max = 16000;

template <class E>
concept Element = std::is_same_v<E, float> || std::is_same_v<E, Half>;

constexpr float to_float(float value) {
    return value;
}
inline bool is_nan(float value) {
    return std::isnan(value);
}
inline bool is_infinite(float value) {
    return std::isinf(value);
}

// Rounds to the element type; a value beyond its range becomes infinite.
template <Element E>
constexpr E to_element(float value) {
    if constexpr (std::is_same_v<E, Half>) {
        return to_half(value);
    } else {
        return value;
    }
}

// Why a value may not be stored in a vector.
enum class Finiteness : uint8_t { finite, not_a_number, infinite };

template <Element E>
Finiteness finiteness(E value) {
    if (is_nan(value)) return Finiteness::not_a_number;
    if (is_infinite(value)) return Finiteness::infinite;
    return Finiteness::finite;
}

// The state of the first element that is not finite, or `finite`.
template <Element E>
Finiteness finiteness(std::span<const E> values) {
    for (const E value : values) {
        if (const Finiteness state = finiteness(value); state != Finiteness::finite) return state;
    }
    return Finiteness::finite;
}

}  // namespace pagoda

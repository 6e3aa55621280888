// Distances and norms of dense vectors as the SQL functions define them. The sums run in f32 lanes
// of the machine's best kernel, so an overflow gives infinity and no error; norms are summed in
// f64. Both arguments of a distance have the same length.
#pragma once

#include <span>

#include "core/vector/element.h"

namespace pagoda {

template <Element E>
double l2_squared(std::span<const E> a, std::span<const E> b);

template <Element E>
double dot(std::span<const E> a, std::span<const E> b);

template <Element E>
double l1(std::span<const E> a, std::span<const E> b);

// 1 - <a,b> / (|a| |b|), the quotient limited to [-1, 1]; NaN when a norm is zero or infinite in
// f32.
template <Element E>
double cosine(std::span<const E> a, std::span<const E> b);

// The angle between two unit vectors as a fraction of pi; the dot product is limited to [-1, 1].
template <Element E>
double spherical(std::span<const E> a, std::span<const E> b);

template <Element E>
double norm(std::span<const E> values);

}  // namespace pagoda

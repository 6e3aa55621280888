// Random vectors for the tests of codes. Seeds are part of each test.
#pragma once

#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "core/base/check.h"
#include "core/base/random.h"
#include "core/rabitq/encode.h"
#include "core/rabitq/rotation.h"

namespace pagoda::rabitq::test {

using Vector = std::vector<float>;

// Normally distributed (Box-Muller).
inline double gaussian(Random& random) {
    const double radius = std::sqrt(-2 * std::log(1 - random.unit()));
    return radius * std::cos(2 * std::numbers::pi * random.unit());
}

inline Vector gaussian_vector(Random& random, size_t dim, double deviation = 1) {
    Vector v(dim);
    for (float& x : v) x = static_cast<float>(gaussian(random) * deviation);
    return v;
}

inline double dot(const Vector& a, const Vector& b) {
    check_always(a.size() == b.size());
    double sum = 0;
    for (size_t i = 0; i < a.size(); ++i) sum += double{a[i]} * double{b[i]};
    return sum;
}

inline double distance2(const Vector& a, const Vector& b) {
    double sum = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        sum += (double{a[i]} - double{b[i]}) * (double{a[i]} - double{b[i]});
    }
    return sum;
}

inline Vector minus(const Vector& a, const Vector& b) {
    Vector v(a.size());
    for (size_t i = 0; i < a.size(); ++i) v[i] = a[i] - b[i];
    return v;
}

inline void normalise(Vector& v) {
    const double norm = std::sqrt(dot(v, v));
    for (float& x : v) x = static_cast<float>(x / norm);
}

// A rotation that owns its signs.
struct OwnedRotation {
    std::vector<uint8_t> signs;
    Rotation rotation;

    OwnedRotation(size_t padded_dim, uint64_t seed)
        : signs(rotation_sign_bytes(padded_dim)),
          rotation(make_rotation(padded_dim, seed, signs)) {}
    OwnedRotation(const OwnedRotation&) = delete;

    // Zero-extends and rotates.
    Vector operator()(const Vector& x) const {
        Vector z = x;
        z.resize(rotation.padded_dim, 0.0f);
        rotate(rotation, z);
        return z;
    }
};

// Mean and standard deviation of a stream of numbers.
struct Moments {
    double sum = 0, squares = 0;
    size_t count = 0;

    void add(double x) {
        sum += x;
        squares += x * x;
        ++count;
    }
    double mean() const { return sum / static_cast<double>(count); }
    double deviation() const {
        return std::sqrt(squares / static_cast<double>(count) - mean() * mean());
    }
};

}  // namespace pagoda::rabitq::test

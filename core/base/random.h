// Small deterministic random numbers: SplitMix64. Equal seeds give equal streams on every platform,
// so a rotation or a sample can be stored as its seed.
#pragma once

#include <cstdint>

#include "core/base/check.h"

namespace pagoda {

class Random {
  public:
    explicit constexpr Random(uint64_t seed) : state_(seed) {}

    // Uniform over all 64-bit values.
    constexpr uint64_t next() {
        uint64_t z = (state_ += 0x9E3779B97F4A7C15ull);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
        return z ^ (z >> 31);
    }

    // Uniform over [0, bound), bound > 0; the bias is below bound / 2^64.
    constexpr uint64_t below(uint64_t bound) {
        check(bound > 0);
        return static_cast<uint64_t>((static_cast<unsigned __int128>(next()) * bound) >> 64);
    }

    // Uniform over [0, 1) with 53 random bits.
    constexpr double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; }

  private:
    uint64_t state_;
};

}  // namespace pagoda

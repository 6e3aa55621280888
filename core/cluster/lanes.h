// Four floats as one value of the compiler's vector extension, for the simple loops over rows that
// are not worth a kernel: the baseline of every supported machine has such registers, and the
// optimiser does not find them by itself at -O2 where pointers might overlap.
#pragma once

#include <cstddef>

#include "core/base/bits.h"

namespace pagoda::cluster {

using Lanes = float __attribute__((vector_size(16)));
inline constexpr size_t lane_count = sizeof(Lanes) / sizeof(float);

// target[i] = scale * source[i] for `count` floats, a multiple of lane_count.
inline void copy_scaled(const float* source, float scale, size_t count, float* target) {
    for (size_t i = 0; i < count; i += lane_count)
        store(target + i, scale * load<Lanes>(source + i));
}

// target[i] += source[i], likewise.
inline void add_to(const float* source, size_t count, float* target) {
    for (size_t i = 0; i < count; i += lane_count) {
        store(target + i, load<Lanes>(target + i) + load<Lanes>(source + i));
    }
}

}  // namespace pagoda::cluster

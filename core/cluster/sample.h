// Uniform sampling without replacement from a stream of unknown length: reservoir sampling
// (Vitter's Algorithm R). It draws integers only, so a seed gives the same sample on every
// platform.
#pragma once

#include <cstdint>

#include "core/base/random.h"

namespace pagoda::cluster {

// Says which slot of a buffer of `capacity` rows the next row of the stream goes to. After n rows
// every row was kept with probability min(1, capacity / n).
class Reservoir {
  public:
    static constexpr uint64_t no_slot = UINT64_MAX;

    Reservoir(uint64_t capacity, uint64_t seed) : random_(seed), capacity_(capacity) {}

    // Slot of the next row, which replaces what the slot held; no_slot: the row is not taken.
    uint64_t offer();

    uint64_t seen() const { return seen_; }
    // Slots in use: 0..filled()-1.
    uint64_t filled() const { return seen_ < capacity_ ? seen_ : capacity_; }

  private:
    Random random_;
    uint64_t capacity_;
    uint64_t seen_ = 0;
};

}  // namespace pagoda::cluster

// See sample.h.
#include "core/cluster/sample.h"

namespace pagoda::cluster {

uint64_t Reservoir::offer() {
    const uint64_t row = seen_++;
    if (row < capacity_) return row;
    const uint64_t slot = random_.below(seen_);
    return slot < capacity_ ? slot : no_slot;
}

}  // namespace pagoda::cluster

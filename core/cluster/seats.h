// Distribution of lists over groups: highest averages with the divisors 1, 3, 5, ... (Webster,
// Sainte-Lague), which favours neither small nor large groups.
#pragma once

#include <cstdint>
#include <span>

#include "core/cluster/progress.h"

namespace pagoda::cluster {

// Gives `seats` seats to parties in proportion to their weights: at least one to each party whose
// limit is not 0 and at most `limits` to each. seats lies between the number of such parties and
// the sum of the limits; a limit above 0 goes with a weight above 0.
void allocate_seats(std::span<const uint32_t> weights, std::span<const uint32_t> limits,
                    uint32_t seats, Pace& pace, std::span<uint32_t> out);

}  // namespace pagoda::cluster

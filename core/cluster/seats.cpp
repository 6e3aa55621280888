// See seats.h.
#include "core/cluster/seats.h"

#include <algorithm>

#include "core/base/check.h"

namespace pagoda::cluster {

void allocate_seats(std::span<const uint32_t> weights, std::span<const uint32_t> limits,
                    uint32_t seats, Pace& pace, std::span<uint32_t> out) {
    uint64_t total = 0;
    for (const uint32_t weight : weights) total += weight;
    // The whole part of the quota first, so that only about one seat a party is left to the rounds.
    uint64_t given = 0;
    for (size_t i = 0; i < weights.size(); ++i) {
        const uint64_t quota = total == 0 ? 0 : uint64_t{weights[i]} * seats / total;
        out[i] = static_cast<uint32_t>(std::min<uint64_t>(limits[i], std::max<uint64_t>(quota, 1)));
        given += out[i];
    }
    while (given != seats) {
        const bool takes = given > seats;
        size_t choice = weights.size();
        double choice_average = 0;
        for (size_t i = 0; i < weights.size(); ++i) {
            if (takes ? out[i] <= 1 : out[i] >= limits[i]) continue;
            // Takes the seat with the lowest average or gives one at the highest.
            const double divisor = 2.0 * out[i] + (takes ? -1.0 : 1.0);
            const double average = weights[i] / divisor;
            const bool is_better = takes ? average < choice_average : average > choice_average;
            if (choice == weights.size() || is_better) {
                choice = i;
                choice_average = average;
            }
        }
        check_always(choice < weights.size());
        out[choice] = takes ? out[choice] - 1 : out[choice] + 1;
        given = takes ? given - 1 : given + 1;
        pace.spend(4 * weights.size());
    }
}

}  // namespace pagoda::cluster

// Factors of single lanes under the exponents that a group shares.
#include "core/ivf/lanes.h"

#include <algorithm>
#include <cmath>

#include "core/base/check.h"

namespace pagoda::ivf {

namespace {

// A present exponent is kept while the best one is at most this far away: above, values still fit
// (headroom of 8); below, the largest value keeps a normal half by far.
constexpr int exponent_slack = 3;

// Writes one factor array with `value` in `lane`; returns the exponent of the array.
int8_t set_factor(std::byte* array, FactorBlock block, uint32_t lane, double value,
                  int8_t exponent) {
    double values[lanes] = {};
    double largest = std::fabs(value);
    for (uint32_t i = 0; i < lanes; i++) {
        if (i == lane || !block.tid(i).valid()) continue;
        values[i] = rabitq::decode_factor(load<uint16_t>(array + 2 * i), exponent);
        if (!std::isfinite(values[i])) values[i] = 0;  // only on a damaged page
        largest = std::max(largest, std::fabs(values[i]));
    }
    const int8_t best = rabitq::choose_exponent(largest);
    const bool keep = std::abs(best - exponent) <= exponent_slack && rabitq::fits(value, exponent);
    if (!keep) {
        exponent = best;
        for (uint32_t i = 0; i < lanes; i++) {
            if (i != lane) store(array + 2 * i, rabitq::encode_factor(values[i], exponent));
        }
    }
    store(array + 2 * lane, rabitq::encode_factor(value, exponent));
    return exponent;
}

}  // namespace

void set_lane_factors(std::span<std::byte> block, uint32_t lane, double add, double scale) {
    check_always(block.size() == block_bytes && lane < lanes);
    const FactorBlock view(block.data());
    const rabitq::Exponents old = view.exponents();
    const int8_t add_exponent = set_factor(block.data(), view, lane, add, old.add);
    const int8_t scale_exponent =
        set_factor(block.data() + block_scales, view, lane, scale, old.scale);
    store(block.data() + block_exponents, add_exponent);
    store(block.data() + block_exponents + 1, scale_exponent);
}

void set_lane_kind(std::span<std::byte> block, uint32_t lane, uint16_t kind) {
    check_always(block.size() == block_bytes && lane < lanes);
    store(block.data() + 2 * lane, uint16_t{0});
    store(block.data() + block_scales + 2 * lane, kind);
}

}  // namespace pagoda::ivf

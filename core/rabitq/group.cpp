// Group images and their exponents; the layout is in group.h.
#include "core/rabitq/group.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "core/base/check.h"
#include "core/simd/half_bits.h"

namespace pagoda::rabitq {
namespace {

// The largest magnitude lands in [2^12, 2^13).
constexpr int target_exponent = 12;
// Halves end at 65504; from 65520 on the rounding gives infinity.
constexpr double half_overflow = 65520.0;

double largest_magnitude(std::span<const double> values) {
    double largest = 0;
    for (double value : values) largest = std::max(largest, std::fabs(value));
    return largest;
}

}  // namespace

bool valid(Exponents exponents) {
    const auto inside = [](int8_t e) { return e >= exponent_min && e <= exponent_max; };
    return inside(exponents.add) && inside(exponents.scale);
}

float unit_of(int8_t exponent) {
    return std::ldexp(1.0f, std::clamp<int>(exponent, exponent_min, exponent_max));
}

int8_t choose_exponent(double largest) {
    check(largest >= 0 && std::isfinite(largest));
    if (largest == 0) return 0;
    const int exponent = std::ilogb(largest) - target_exponent;
    return static_cast<int8_t>(std::clamp(exponent, exponent_min, exponent_max));
}

bool fits(double value, int8_t exponent) {
    // A value below the limit may still become 65520 when it is narrowed to f32; narrow it first.
    const auto scaled = static_cast<float>(std::ldexp(value, -exponent));
    return std::fabs(scaled) < static_cast<float>(half_overflow);
}

uint16_t encode_factor(double value, int8_t exponent) {
    check(fits(value, exponent));
    return simd::f16_from_f32(static_cast<float>(std::ldexp(value, -exponent)));
}

float decode_factor(uint16_t half, int8_t exponent) {
    return simd::f32_from_f16(half) * unit_of(exponent);
}

Exponents load_exponents(std::span<const std::byte> group, size_t padded_dim) {
    check(group.size() == group_bytes(padded_dim));
    const std::byte* tail = group.data() + tail_offset(padded_dim);
    return {load<int8_t>(tail), load<int8_t>(tail + 1)};
}

void store_exponents(std::span<std::byte> group, size_t padded_dim, Exponents exponents) {
    check(group.size() == group_bytes(padded_dim));
    check(valid(exponents));
    std::byte* tail = group.data() + tail_offset(padded_dim);
    store(tail, exponents.add);
    store(tail + 1, exponents.scale);
}

void store_factors(std::span<std::byte> group, size_t padded_dim, std::span<const double> adds,
                   std::span<const double> scales) {
    check(adds.size() == scales.size() && adds.size() <= group_lanes);
    const Exponents exponents{choose_exponent(largest_magnitude(adds)),
                              choose_exponent(largest_magnitude(scales))};
    store_exponents(group, padded_dim, exponents);
    for (size_t lane = 0; lane < group_lanes; ++lane) {
        const bool used = lane < adds.size();
        const uint16_t add = used ? encode_factor(adds[lane], exponents.add) : empty_add;
        const uint16_t scale = used ? encode_factor(scales[lane], exponents.scale) : uint16_t{0};
        store(group.data() + add_offset(padded_dim, lane), add);
        store(group.data() + scale_offset(padded_dim, lane), scale);
    }
}

void clear_group(std::span<std::byte> group, size_t padded_dim) {
    check(group.size() == group_bytes(padded_dim));
    std::memset(group.data(), 0, group.size());
    for (size_t lane = 0; lane < group_lanes; ++lane) {
        store(group.data() + add_offset(padded_dim, lane), empty_add);
    }
}

void put_code(std::span<std::byte> group, size_t padded_dim, size_t lane,
              std::span<const uint8_t> bits) {
    check(group.size() == group_bytes(padded_dim));
    check(lane < group_lanes && bits.size() == padded_dim / 8);
    std::byte* target = group.data() + lane % 16;
    const std::byte keep{static_cast<uint8_t>(lane < 16 ? 0xF0 : 0x0F)};
    const int shift = lane < 16 ? 0 : 4;
    for (uint8_t byte : bits) {
        const auto low = static_cast<uint8_t>((byte & 15) << shift);
        const auto high = static_cast<uint8_t>((byte >> 4) << shift);
        target[0] = (target[0] & keep) | std::byte{low};
        target[group_row_bytes] = (target[group_row_bytes] & keep) | std::byte{high};
        target += 2 * group_row_bytes;
    }
}

void take_code(std::span<const std::byte> group, size_t padded_dim, size_t lane,
               std::span<uint8_t> bits) {
    check(group.size() == group_bytes(padded_dim));
    check(lane < group_lanes && bits.size() == padded_dim / 8);
    const std::byte* source = group.data() + lane % 16;
    const int shift = lane < 16 ? 0 : 4;
    for (uint8_t& byte : bits) {
        const unsigned low = std::to_integer<unsigned>(source[0]) >> shift & 15;
        const unsigned high = std::to_integer<unsigned>(source[group_row_bytes]) >> shift & 15;
        byte = static_cast<uint8_t>(low | high << 4);
        source += 2 * group_row_bytes;
    }
}

}  // namespace pagoda::rabitq

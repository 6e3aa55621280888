// The level-0 image of 32 rows, a "group". With R = padded_dim / 4 rows of code bytes:
//
//   offset          bytes    content
//   0               16 * R   FastScan rows: byte j holds 4 sign bits of lane j (low nibble) and of
//                            lane j + 16 (high nibble); bit b is dimension 4 * row + b
//   16 R            64       32 IEEE halves: f_add / 2^e_add
//   16 R + 64       64       32 IEEE halves: s / 2^e_s
//   16 R + 128      192      32 TIDs of 6 bytes; all zero = empty lane
//   16 R + 320      16       i8 e_add, i8 e_s, 14 zero bytes
//
// An empty lane also has f_add = +infinity and s = 0, so that no filter accepts it. The exponents
// belong to the whole group. They are chosen to bring the largest magnitude into [4096, 8192):
// halves end at 65504, so later rows may be up to eight times larger before the group must be
// written anew, and keep 11 significant bits down to 2^-27 of the largest.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/bits.h"

namespace pagoda::rabitq {

inline constexpr size_t group_lanes = 32;
inline constexpr size_t group_row_bytes = 16;
inline constexpr size_t group_row_dims = 4;
inline constexpr uint16_t empty_add = 0x7C00;  // +infinity

constexpr size_t group_rows(size_t padded_dim) {
    return padded_dim / group_row_dims;
}
constexpr size_t add_offset(size_t padded_dim, size_t lane = 0) {
    return group_rows(padded_dim) * group_row_bytes + lane * sizeof(uint16_t);
}
constexpr size_t scale_offset(size_t padded_dim, size_t lane = 0) {
    return add_offset(padded_dim, lane) + group_lanes * sizeof(uint16_t);
}
constexpr size_t tid_offset(size_t padded_dim, size_t lane = 0) {
    return scale_offset(padded_dim) + group_lanes * sizeof(uint16_t) + lane * 6;
}
constexpr size_t tail_offset(size_t padded_dim) {
    return tid_offset(padded_dim) + group_lanes * 6;
}
constexpr size_t group_bytes(size_t padded_dim) {
    return tail_offset(padded_dim) + 16;
}

static_assert(group_bytes(768) == 4 * 768 + 336);
static_assert(group_bytes(64) % 16 == 0);

// --- exponents

struct Exponents {
    int8_t add = 0;
    int8_t scale = 0;
    friend bool operator==(const Exponents&, const Exponents&) = default;
};

inline constexpr int exponent_min = -126;
inline constexpr int exponent_max = 110;
// The largest magnitude that some exponent can hold: about 8.5e37, and below the limit of f32.
inline constexpr double factor_max = 65504.0 * 0x1p110;

// True for exponents that this library writes; others come from a damaged page.
bool valid(Exponents exponents);
// 2^exponent, a normal f32. The exponent may come from a page: it is held to its limits.
float unit_of(int8_t exponent);
// The exponent for a group whose largest finite magnitude is `largest` (0 gives 0). Magnitudes
// above factor_max fit no exponent.
int8_t choose_exponent(double largest);
// Whether `value` is finite and does not overflow a half under `exponent`.
bool fits(double value, int8_t exponent);
// The stored half; value must fit. Rounds to nearest even.
uint16_t encode_factor(double value, int8_t exponent);
float decode_factor(uint16_t half, int8_t exponent);

Exponents load_exponents(std::span<const std::byte> group, size_t padded_dim);
void store_exponents(std::span<std::byte> group, size_t padded_dim, Exponents exponents);

// Picks exponents for all rows and writes both factor arrays; `adds` and `scales` have one value a
// lane, at most 32, all within factor_max. Lanes from adds.size() on become empty_add and 0.
void store_factors(std::span<std::byte> group, size_t padded_dim, std::span<const double> adds,
                   std::span<const double> scales);

// --- images; `group` is group_bytes(padded_dim) bytes

// All lanes empty, exponents 0.
void clear_group(std::span<std::byte> group, size_t padded_dim);

// Puts packed sign bits (padded_dim / 8 bytes, dimension order) into the lane, and takes them out.
void put_code(std::span<std::byte> group, size_t padded_dim, size_t lane,
              std::span<const uint8_t> bits);
void take_code(std::span<const std::byte> group, size_t padded_dim, size_t lane,
               std::span<uint8_t> bits);

// For an insert that edits single bytes of a group spread over pages: the nibble of one row of the
// code, and the new byte at offset row * 16 + lane % 16.
constexpr uint8_t code_nibble(std::span<const uint8_t> bits, size_t row) {
    return static_cast<uint8_t>(bits[row / 2] >> (row % 2 * 4) & 15);
}
constexpr uint8_t with_nibble(uint8_t byte, size_t lane, uint8_t nibble) {
    return static_cast<uint8_t>(lane < 16 ? (byte & 0xF0) | nibble : (byte & 0x0F) | nibble << 4);
}

}  // namespace pagoda::rabitq

// The factor block of a level-0 group: what follows its code rows (layout in core/rabitq/group.h).
// It is read and written apart from the rows because it may lie on another page.
#pragma once

#include <span>

#include "core/base/tid.h"
#include "core/rabitq/group.h"

namespace pagoda::ivf {

inline constexpr uint32_t lanes = rabitq::group_lanes;

// Byte offset of the block in a group, and its parts relative to the block.
constexpr size_t block_offset(size_t padded_dim) {
    return rabitq::add_offset(padded_dim);
}
inline constexpr size_t block_scales = 64;
inline constexpr size_t block_tids = 128;
inline constexpr size_t block_exponents = 320;
inline constexpr size_t block_bytes = 336;
static_assert(rabitq::group_bytes(64) - block_offset(64) == block_bytes);
static_assert(rabitq::tid_offset(64) - block_offset(64) == block_tids);
static_assert(rabitq::tail_offset(64) - block_offset(64) == block_exponents);

// Offset of a lane's TID in the block.
constexpr size_t lane_tid_offset(uint32_t lane) {
    return block_tids + lane * tid_bytes;
}

// A view; `bytes` points at block_bytes bytes, 2-byte aligned.
class FactorBlock {
  public:
    explicit FactorBlock(const std::byte* bytes) : bytes_(bytes) {}

    const uint16_t* adds() const { return reinterpret_cast<const uint16_t*>(bytes_); }
    const uint16_t* scales() const {
        return reinterpret_cast<const uint16_t*>(bytes_ + block_scales);
    }
    Tid tid(uint32_t lane) const { return load_tid(bytes_ + lane_tid_offset(lane)); }
    rabitq::Exponents exponents() const {
        return {load<int8_t>(bytes_ + block_exponents), load<int8_t>(bytes_ + block_exponents + 1)};
    }

  private:
    const std::byte* bytes_;
};

// Sets the factors of `lane`; the block's exponents stay when the value fits them without losing
// precision, otherwise all lanes that hold rows are written anew. Both values are codable
// (rabitq::codable).
void set_lane_factors(std::span<std::byte> block, uint32_t lane, double add, double scale);

// Sets the scale half of an outlier's lane to its kind.
void set_lane_kind(std::span<std::byte> block, uint32_t lane, uint16_t kind);

inline void set_lane_tid(std::span<std::byte> block, uint32_t lane, Tid tid) {
    store_tid(block.data() + lane_tid_offset(lane), tid);
}

}  // namespace pagoda::ivf

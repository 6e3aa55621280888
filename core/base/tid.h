// Where a row lives in its table: heap block and line pointer number (from 1). Offset 0 means "no
// row"; an all-zero TID marks an empty lane. Six bytes on pages, as PostgreSQL's ItemPointerData.
#pragma once

#include <compare>
#include <cstdint>

#include "core/base/bits.h"

namespace pagoda {

inline constexpr size_t tid_bytes = 6;

struct Tid {
    uint32_t block = 0;
    uint16_t offset = 0;

    bool valid() const { return offset != 0; }
    // Orders as the table does; also a compact identity.
    uint64_t key() const { return uint64_t{block} << 16 | offset; }
    friend bool operator==(const Tid&, const Tid&) = default;
};

inline Tid load_tid(const std::byte* source) {
    return {load<uint32_t>(source), load<uint16_t>(source + 4)};
}

inline void store_tid(std::byte* target, Tid tid) {
    store(target, tid.block);
    store(target + 4, tid.offset);
}

}  // namespace pagoda

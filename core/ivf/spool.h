// The record of a row between encoding and writing: the host sorts these by list.
#pragma once

#include "core/ivf/format.h"

namespace pagoda::ivf {

// Followed by padded_dim / 8 sign bytes and the level-1 code bytes.
struct SpoolHead {
    double add0, scale0;
    float add1, scale1;
    uint32_t tid_block;
    uint16_t tid_offset;
    OutlierKind outlier;
};
static_assert(sizeof(SpoolHead) == 32);

constexpr size_t spool_record_bytes(const MetaPage& meta) {
    return sizeof(SpoolHead) + meta.padded_dim / 8 + size_t{meta.padded_dim} * meta.refine_bits / 8;
}

}  // namespace pagoda::ivf

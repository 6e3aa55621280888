// The frame of an index page: PostgreSQL's page header, our content, our special area.
//
//   0..23       PostgreSQL's page header (same in versions 15 to 18)
//   24..31      reserved, zero; makes the content start on a 32-byte boundary
//   32..8175    content (8,144 bytes = 509 x 16)
//   8176..8191  special area: PageTag
//
// Pages of this library have no hole unless a kind says otherwise: pd_lower = pd_upper = 8176.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/bits.h"
#include "core/base/result.h"

namespace pagoda {

inline constexpr size_t page_bytes = 8192;
inline constexpr size_t page_header_bytes = 24;
inline constexpr size_t content_begin = 32;
inline constexpr size_t content_end = 8176;
inline constexpr size_t content_bytes = content_end - content_begin;
static_assert(content_bytes == 8144 && content_bytes % 16 == 0);

// Offsets inside PostgreSQL's page header that this library reads or sets.
inline constexpr size_t pd_lower_offset = 12;
inline constexpr size_t pd_upper_offset = 14;
inline constexpr size_t pd_special_offset = 16;
inline constexpr size_t pd_pagesize_version_offset = 18;
inline constexpr uint16_t pd_pagesize_version = 8192 | 4;

using PageBytes = std::span<std::byte, page_bytes>;
using ConstPageBytes = std::span<const std::byte, page_bytes>;

enum class PageKind : uint8_t {
    ivf_meta = 1,     // block 0 of an ivf_rabitq index
    ivf_stream = 2,   // content belongs to byte streams: centroids, entries, extents of lists
    ivf_extents = 3,  // tables of further extents of lists that have grown
};

inline constexpr uint32_t page_magic = 0x41444750;  // "PGDA"

// The special area. `index_id` is drawn at build, so that a page of another index is recognised.
struct PageTag {
    uint32_t magic;
    uint32_t index_id;
    PageKind kind;
    uint8_t version;  // of the format of this kind
    uint16_t flags;
    uint32_t reserved;
};
static_assert(sizeof(PageTag) == page_bytes - content_end);

inline PageTag page_tag(ConstPageBytes page) {
    return load<PageTag>(page.data() + content_end);
}

// Makes `page` an empty page of the given kind: header set, content zero, no hole.
void init_page(PageBytes page, PageKind kind, uint8_t version, uint32_t index_id);

// Whether the page has this kind and belongs to this index. An all-zero page (extended, never
// initialised, left by a crash) is not valid.
Status validate_page(ConstPageBytes page, PageKind kind, uint8_t version_max, uint32_t index_id,
                     uint32_t block);

}  // namespace pagoda

// The bytes of an ivf_rabitq index, version 1. docs/FORMAT.md has the tables.
//
// Block 0 is the meta page. All other content is byte streams over page contents
// (core/page/layout.h):
//   mean       f32 x dim          mean of the data, in the data's own space
//   groups     f16 x padded_dim   coarse centroids, with one GroupEntry each in `group_entries`
//   centroids  f16 x padded_dim   centroid of each list, in work space
//   entries    ListEntry          127 a page, never across pages
//   extents    groups of 32 rows (level 0), then level-1 records; see core/rabitq/group.h
// Work space: z = work_scale * rotate(x - mean), zero-extended to padded_dim before the rotation.
// List 0 is the outlier list: rows that have no code. Its centroid is zero and never ranked.
#pragma once

#include <algorithm>
#include <cstdint>
#include <type_traits>

#include "core/base/bits.h"
#include "core/base/tid.h"
#include "core/page/layout.h"
#include "core/rabitq/group.h"

namespace pagoda::ivf {

inline constexpr uint8_t page_version = 1;
inline constexpr uint32_t format_version = 1;
inline constexpr uint32_t dim_max = 16000;
inline constexpr uint32_t list_count_max = 1u << 20;
inline constexpr uint32_t meta_block = 0;
inline constexpr uint32_t outlier_list = 0;

enum class Metric : uint8_t { l2 = 1, inner_product = 2, cosine = 3 };

// A place in the content of a page; `offset` counts from content_begin.
struct Position {
    uint32_t block = 0;
    uint32_t offset = 0;
};

struct Run {
    uint32_t block;
    uint32_t pages;
};

// A byte stream as runs of consecutive blocks. Runs grow geometrically, so few are needed.
inline constexpr uint32_t stream_runs_max = 24;
struct Stream {
    uint32_t run_count;
    uint32_t reserved;
    uint64_t bytes;  // used
    Run runs[stream_runs_max];
};
static_assert(sizeof(Stream) == 16 + 8 * stream_runs_max);

// A point of what the build measured: probes that reach a recall at k = 10 on held-out rows.
struct LearntPoint {
    uint32_t probes;
    float recall;
};
inline constexpr uint32_t learnt_points_max = 24;

struct MetaPage {
    uint32_t format;  // format_version
    uint32_t index_id;
    uint32_t dim;
    uint32_t padded_dim;
    Metric metric;
    uint8_t refine_bits;  // 8, 4 or 0
    uint8_t reserved_flags[2];
    uint32_t list_count;   // outlier list included
    uint32_t group_count;  // coarse groups of lists 1 ..
    uint32_t padding;
    uint64_t rotation_seed;
    uint64_t built_rows;
    float work_scale;  // power of two: z = work_scale * rotate(x - mean); see choose_work_scale
    float kappa0;      // error std per scale, level 0
    float kappa1;      // the same of level 1
    float learnt_epsilon;
    uint32_t learnt_probes;  // for the default target; 0 when nothing was learnt
    uint32_t learnt_count;
    LearntPoint learnt[learnt_points_max];
    // Free space for new extents: from `tail` to the end of block tail_end - 1. Its pages are
    // initialised.
    Position tail;
    uint32_t tail_end;
    uint32_t table_block;  // page of extent tables with free slots; 0 = none
    uint32_t table_used;   // slots in use on it
    uint32_t reserved;
    Stream mean, groups, group_entries, centroids, entries;
};
static_assert(std::is_trivially_copyable_v<MetaPage>);
static_assert(sizeof(MetaPage) % 8 == 0);
static_assert(sizeof(MetaPage) <= content_bytes);

// Lists of a coarse group: [first_list, first_list + list_count).
struct GroupEntry {
    uint32_t first_list;
    uint32_t list_count;
    uint32_t reserved[2];
};
static_assert(sizeof(GroupEntry) == 16);
inline constexpr uint32_t group_entries_a_page = content_bytes / sizeof(GroupEntry);

// Space for `capacity` rows: divide_up(capacity, 32) groups, then capacity level-1 records.
struct Extent {
    uint32_t block;
    uint16_t offset;  // in the content, a multiple of 16
    uint16_t reserved;
    uint32_t capacity;
};
static_assert(sizeof(Extent) == 12);

inline constexpr uint32_t extent_capacity_max = 1u << 28;
inline constexpr uint32_t extents_inline = 2;
inline constexpr uint32_t extents_in_table = 62;
inline constexpr uint32_t extents_max = extents_inline + extents_in_table;

struct ListEntry {
    uint32_t used;  // ordinals handed out, over all extents; lanes above are empty
    uint32_t dead;  // lanes below `used` that are empty
    uint16_t extent_count;
    uint16_t reserved0;
    float radius_mean;  // of |r| when the list was built
    float radius_largest;
    uint32_t free_hint;  // no empty lane below this ordinal
    Extent extents[extents_inline];
    uint32_t table_block;  // further extents; 0 = none
    uint32_t table_slot;
    uint32_t reserved1[2];
};
static_assert(sizeof(ListEntry) == 64);
inline constexpr uint32_t entries_a_page = content_bytes / sizeof(ListEntry);

struct ExtentTable {
    Extent extents[extents_in_table];
};
static_assert(sizeof(ExtentTable) == 744);
inline constexpr uint32_t tables_a_page = content_bytes / sizeof(ExtentTable);

// Sizes that follow from the meta page.
constexpr size_t record_bytes(uint32_t padded_dim, uint32_t refine_bits) {
    return refine_bits == 0 ? 0 : padded_dim * refine_bits / 8 + 2 * sizeof(float);
}
constexpr size_t extent_bytes(uint32_t padded_dim, uint32_t refine_bits, uint32_t capacity) {
    return round_up(divide_up(capacity, rabitq::group_lanes) * rabitq::group_bytes(padded_dim) +
                        capacity * record_bytes(padded_dim, refine_bits),
                    16);
}

// Rows of a list's next extent when it has `extents` extents of `total` rows. Lists grow by half,
// but by no more than extent_bytes_most at a time; the last quarter of the extents doubles the
// list, so that a list of any size can grow to 2^27 rows and more.
inline constexpr uint64_t extent_bytes_most = uint64_t{4} << 20;
inline constexpr uint32_t extents_doubling = extents_max * 3 / 4;
constexpr uint32_t next_capacity(uint32_t padded_dim, uint32_t refine_bits, uint32_t total,
                                 uint32_t extents) {
    const uint64_t group = extent_bytes(padded_dim, refine_bits, rabitq::group_lanes);
    const uint64_t most = std::max<uint64_t>(extent_bytes_most / group, 1) * rabitq::group_lanes;
    const uint64_t grown = extents < extents_doubling ? std::min<uint64_t>(total / 2, most) : total;
    const uint64_t capped = std::clamp<uint64_t>(grown, rabitq::group_lanes, extent_capacity_max);
    return static_cast<uint32_t>(round_up(capped, rabitq::group_lanes));
}

// Outlier lanes keep their kind in the s field.
enum class OutlierKind : uint16_t { none = 0, too_large = 1, zero = 2 };

}  // namespace pagoda::ivf

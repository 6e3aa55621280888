// The bytes of version 1, with the numbers written out: they must never change. And the arithmetic
// of streams, extents and growth that follows from them.
#include "core/ivf/format.h"

#include <cstddef>

#include <gtest/gtest.h>

#include "core/ivf/stream.h"

namespace pagoda::ivf {
namespace {

static_assert(offsetof(MetaPage, format) == 0 && offsetof(MetaPage, index_id) == 4);
static_assert(offsetof(MetaPage, dim) == 8 && offsetof(MetaPage, padded_dim) == 12);
static_assert(offsetof(MetaPage, metric) == 16 && offsetof(MetaPage, refine_bits) == 17);
static_assert(offsetof(MetaPage, list_count) == 20 && offsetof(MetaPage, group_count) == 24);
static_assert(offsetof(MetaPage, rotation_seed) == 32 && offsetof(MetaPage, built_rows) == 40);
static_assert(offsetof(MetaPage, work_scale) == 48 && offsetof(MetaPage, kappa0) == 52);
static_assert(offsetof(MetaPage, kappa1) == 56 && offsetof(MetaPage, learnt_epsilon) == 60);
static_assert(offsetof(MetaPage, learnt_probes) == 64 && offsetof(MetaPage, learnt_count) == 68);
static_assert(offsetof(MetaPage, learnt) == 72 && sizeof(LearntPoint) == 8);
static_assert(offsetof(MetaPage, tail) == 264 && offsetof(MetaPage, tail_end) == 272);
static_assert(offsetof(MetaPage, table_block) == 276 && offsetof(MetaPage, table_used) == 280);
static_assert(offsetof(MetaPage, mean) == 288 && offsetof(MetaPage, groups) == 496);
static_assert(offsetof(MetaPage, group_entries) == 704 && offsetof(MetaPage, centroids) == 912);
static_assert(offsetof(MetaPage, entries) == 1120 && sizeof(MetaPage) == 1328);

static_assert(offsetof(Stream, run_count) == 0 && offsetof(Stream, bytes) == 8);
static_assert(offsetof(Stream, runs) == 16 && sizeof(Stream) == 208 && sizeof(Run) == 8);
static_assert(offsetof(Position, block) == 0 && offsetof(Position, offset) == 4);

static_assert(offsetof(ListEntry, used) == 0 && offsetof(ListEntry, dead) == 4);
static_assert(offsetof(ListEntry, extent_count) == 8 && offsetof(ListEntry, radius_mean) == 12);
static_assert(offsetof(ListEntry, radius_largest) == 16 && offsetof(ListEntry, free_hint) == 20);
static_assert(offsetof(ListEntry, extents) == 24 && offsetof(ListEntry, table_block) == 48);
static_assert(offsetof(ListEntry, table_slot) == 52 && sizeof(ListEntry) == 64);
static_assert(offsetof(Extent, block) == 0 && offsetof(Extent, offset) == 4);
static_assert(offsetof(Extent, capacity) == 8 && sizeof(Extent) == 12);
static_assert(offsetof(GroupEntry, list_count) == 4 && sizeof(GroupEntry) == 16);
static_assert(sizeof(ExtentTable) == 744);

static_assert(static_cast<int>(Metric::l2) == 1 && static_cast<int>(Metric::inner_product) == 2);
static_assert(static_cast<int>(Metric::cosine) == 3);
static_assert(static_cast<int>(OutlierKind::too_large) == 1);
static_assert(static_cast<int>(OutlierKind::zero) == 2);
static_assert(entries_a_page == 127 && group_entries_a_page == 509 && tables_a_page == 10);
static_assert(dim_max == 16000 && list_count_max == 1048576 && extents_max == 64);

// No field is followed by padding that the compiler would leave undefined.
static_assert(std::has_unique_object_representations_v<Stream>);
static_assert(std::has_unique_object_representations_v<ExtentTable>);
static_assert(std::has_unique_object_representations_v<GroupEntry>);

TEST(Format, record_and_extent_sizes_are_those_of_version_1) {
    EXPECT_EQ(record_bytes(768, 8), 776u);
    EXPECT_EQ(record_bytes(768, 4), 392u);
    EXPECT_EQ(record_bytes(768, 0), 0u);
    // 3 groups of 4 * 64 + 336 bytes and 65 records of 72 bytes, on a 16-byte boundary.
    EXPECT_EQ(extent_bytes(64, 8, 65), 3u * 592 + 65 * 72 + 8);
    EXPECT_EQ(extent_bytes(768, 0, 32), 3408u);
    EXPECT_EQ(extent_bytes(dim_max, 8, extent_capacity_max) % 16, 0u);
    EXPECT_GT(extent_bytes(dim_max, 8, extent_capacity_max), uint64_t{1} << 42);
}

TEST(Format, advance_walks_page_contents_one_after_the_other) {
    Position walked = {7, 8140};
    for (uint64_t bytes = 0; bytes < 3 * content_bytes; bytes++) {
        const Position jumped = advance({7, 8140}, bytes);
        ASSERT_EQ(jumped.block, walked.block) << bytes;
        ASSERT_EQ(jumped.offset, walked.offset) << bytes;
        if (++walked.offset == content_bytes) walked = {walked.block + 1, 0};
    }
    // A position at the very end of a page is the start of the next.
    EXPECT_EQ(advance({7, content_bytes}, 0).block, 8u);
}

TEST(Format, locate_finds_bytes_in_runs_and_nothing_after_them) {
    Stream stream = {};
    stream.run_count = 3;
    stream.runs[0] = {10, 2};
    stream.runs[1] = {5, 1};
    stream.runs[2] = {90, 3};
    const uint32_t blocks[] = {10, 11, 5, 90, 91, 92};
    for (uint64_t page = 0; page < 6; page++) {
        for (const uint64_t offset : {uint64_t{0}, uint64_t{1}, uint64_t{content_bytes - 1}}) {
            const Position found = locate(stream, page * content_bytes + offset);
            EXPECT_EQ(found.block, blocks[page]);
            EXPECT_EQ(found.offset, offset);
        }
    }
    EXPECT_EQ(locate(stream, 6 * content_bytes).block, no_block);
    EXPECT_EQ(locate(stream, UINT64_MAX).block, no_block);
    EXPECT_EQ(locate(Stream{}, 0).block, no_block);
    stream.run_count = UINT32_MAX;  // of a damaged page
    EXPECT_EQ(locate(stream, 6 * content_bytes).block, no_block);
}

TEST(Format, growth_stays_in_whole_groups_and_reaches_any_list_size) {
    for (const uint32_t first : {1u, 31u, 32u, 1000u, 100000u, 1u << 27}) {
        uint64_t total = first;
        for (uint32_t extents = 1; extents < extents_max; extents++) {
            const uint32_t capacity = next_capacity(
                768, 8, static_cast<uint32_t>(std::min<uint64_t>(total, UINT32_MAX)), extents);
            EXPECT_GE(capacity, 32u);
            EXPECT_LE(capacity, extent_capacity_max);
            EXPECT_EQ(capacity % 32, 0u);
            total += capacity;
        }
        EXPECT_GE(total, uint64_t{1} << 27) << first;
    }
    EXPECT_EQ(next_capacity(768, 8, 0, 0), 32u);
    EXPECT_EQ(next_capacity(768, 8, 1000, 1), 512u);
    // Not more than 4 MB at a time while the list has extents to spare.
    EXPECT_LE(extent_bytes(768, 8, next_capacity(768, 8, 1u << 20, 30)), extent_bytes_most);
}

}  // namespace
}  // namespace pagoda::ivf

// What is read from the meta page and from list entries is checked before use; each contradiction
// leaves with its own reason. The index under test is written by test/support/tiny_index.
#include "core/ivf/directory.h"

#include <gtest/gtest.h>

#include "test/support/tiny_index.h"

namespace pagoda::test {
namespace {

using namespace ivf;

class DirectoryTest : public testing::Test {
  protected:
    DirectoryTest() {
        write_tiny_index(store, shape);
        meta = read_meta(store);
    }

    // The reason that read_meta() gives after `change`, or "" when it accepts the page.
    template <class Change>
    std::string reason_after(Change change) {
        MetaPage damaged = meta;
        change(damaged);
        const Status status = validate_meta(damaged, store.block_count());
        return status ? "" : status.error().expected;
    }

    TinyIndexShape shape = {.dim = 100, .lists = 300, .groups = 7, .split_runs = true};
    MemoryStore store;
    MetaPage meta;
};

TEST_F(DirectoryTest, reads_back_what_was_written) {
    EXPECT_EQ(meta.dim, 100u);
    EXPECT_EQ(meta.padded_dim, 112u);
    EXPECT_EQ(meta.list_count, 301u);
    EXPECT_EQ(meta.group_count, 7u);
    uint32_t next = 1;
    for (uint32_t group = 0; group < meta.group_count; group++) {
        const GroupEntry entry = read_group_entry(store, meta, group);
        EXPECT_EQ(entry.first_list, next);
        next += entry.list_count;
    }
    EXPECT_EQ(next, meta.list_count);
    for (uint32_t list = 0; list < meta.list_count; list++) {
        const ListEntry entry = read_entry(store, meta, list);
        EXPECT_EQ(entry.used, 0u);
        EXPECT_EQ(read_extents(store, meta, entry).count, 0u);
    }
    store.expect_no_locks();
}

TEST_F(DirectoryTest, a_cursor_over_split_runs_reads_the_stream_in_order) {
    const uint64_t bytes = uint64_t{meta.list_count} * meta.padded_dim * 2;
    ASSERT_EQ(meta.centroids.run_count, 2u);
    std::vector<std::byte> all(bytes);
    Cursor<MemoryStore>(store, meta.index_id, meta.centroids, 0).copy(all);
    for (const uint64_t at : {uint64_t{1}, uint64_t{8143}, uint64_t{8144}, uint64_t{40000}}) {
        std::vector<std::byte> part(300);
        Cursor<MemoryStore> cursor(store, meta.index_id, meta.centroids, at - 1);
        cursor.skip(1);
        cursor.copy(part);
        EXPECT_TRUE(std::equal(part.begin(), part.end(), all.begin() + at)) << at;
    }
    EXPECT_EQ(store.counters().held_max, 1u);
}

TEST_F(DirectoryTest, each_damage_of_the_meta_page_has_its_reason) {
    EXPECT_EQ(reason_after([](MetaPage&) {}), "");
    EXPECT_EQ(reason_after([](MetaPage& m) { m.format = 2; }), "index format version 1");
    for (const uint32_t dim : {0u, dim_max + 1, UINT32_MAX}) {
        EXPECT_EQ(reason_after([&](MetaPage& m) { m.dim = dim; }), "1 to 16000 dimensions");
    }
    EXPECT_EQ(reason_after([](MetaPage& m) { m.padded_dim = 128; }),
              "padded dimensions that follow from the dimensions");
    EXPECT_EQ(reason_after([](MetaPage& m) { m.metric = Metric{0}; }), "a known metric");
    EXPECT_EQ(reason_after([](MetaPage& m) { m.metric = Metric{4}; }), "a known metric");
    EXPECT_EQ(reason_after([](MetaPage& m) { m.refine_bits = 5; }), "0, 4 or 8 refinement bits");
    for (const uint32_t lists : {0u, 1u, list_count_max + 1}) {
        EXPECT_EQ(reason_after([&](MetaPage& m) { m.list_count = lists; }), "2 to 1048576 lists");
    }
    for (const uint32_t groups : {0u, 301u}) {
        EXPECT_EQ(reason_after([&](MetaPage& m) { m.group_count = groups; }),
                  "fewer groups than lists");
    }
    EXPECT_EQ(reason_after([](MetaPage& m) { m.learnt_count = learnt_points_max + 1; }),
              "at most 24 learnt points");
}

TEST_F(DirectoryTest, streams_must_lie_in_the_index_and_cover_their_content) {
    const std::string expected = "streams inside the index that cover their content";
    for (Stream MetaPage::*stream : {&MetaPage::mean, &MetaPage::groups, &MetaPage::group_entries,
                                     &MetaPage::centroids, &MetaPage::entries}) {
        EXPECT_EQ(reason_after([&](MetaPage& m) { (m.*stream).run_count = 0; }), expected);
        EXPECT_EQ(reason_after([&](MetaPage& m) { (m.*stream).run_count = 25; }), expected);
        EXPECT_EQ(reason_after([&](MetaPage& m) { (m.*stream).runs[0].block = 0; }), expected);
        EXPECT_EQ(reason_after([&](MetaPage& m) { (m.*stream).runs[0].block = 100000; }), expected);
        EXPECT_EQ(reason_after([&](MetaPage& m) { (m.*stream).runs[0].pages = 0; }), expected);
        EXPECT_EQ(reason_after([&](MetaPage& m) { (m.*stream).runs[0].pages = UINT32_MAX; }),
                  expected);
    }
    EXPECT_EQ(reason_after([](MetaPage& m) { m.list_count = 100000; }), expected);
}

TEST_F(DirectoryTest, free_space_must_lie_in_the_index) {
    const std::string expected = "free space inside the index";
    EXPECT_EQ(reason_after([&](MetaPage& m) { m.tail_end = store.block_count() + 1; }), expected);
    EXPECT_EQ(reason_after([](MetaPage& m) { m.tail.offset = content_bytes + 1; }), expected);
    EXPECT_EQ(reason_after([](MetaPage& m) { m.table_used = tables_a_page + 1; }), expected);
    EXPECT_EQ(reason_after([&](MetaPage& m) { m.table_block = store.block_count(); }), expected);
}

TEST_F(DirectoryTest, pages_of_another_kind_or_index_are_refused) {
    const uint32_t entry_block = meta.entries.runs[0].block;
    store.damage(entry_block,
                 [](PageBytes page) { init_page(page, PageKind::ivf_meta, 1, 0x7157); });
    EXPECT_THROW(read_entry(store, meta, 0), StoreError);
    store.damage(entry_block, [](PageBytes page) { init_page(page, PageKind::ivf_stream, 1, 9); });
    EXPECT_THROW(read_entry(store, meta, 0), StoreError);
    store.damage(0, [](PageBytes page) { page[content_begin + 4] ^= std::byte{1}; });
    EXPECT_THROW(read_meta(store), StoreError);
    store.damage(0, [](PageBytes page) { std::fill(page.begin(), page.end(), std::byte{0}); });
    EXPECT_THROW(read_meta(store), StoreError);
    store.expect_no_locks();
}

TEST_F(DirectoryTest, each_damage_of_an_entry_has_its_reason) {
    const auto reason = [&](auto change) -> std::string {
        ListEntry entry = {};
        entry.used = 40;
        entry.extent_count = 1;
        entry.extents[0] = {20, 16, 0, 64};
        change(entry);
        const Status status = validate_entry(meta, entry, 5);
        if (status) return "";
        EXPECT_EQ(status.error().block, 5u);
        return status.error().expected;
    };
    EXPECT_EQ(reason([](ListEntry&) {}), "");
    EXPECT_EQ(reason([](ListEntry& e) { e.extent_count = 65; }), "at most 64 extents a list");
    EXPECT_EQ(reason([](ListEntry& e) { e.dead = 41; }), "no more empty lanes than lanes");
    EXPECT_EQ(reason([](ListEntry& e) { e.used = 65; }), "no more lanes than the extents hold");
    EXPECT_EQ(reason([](ListEntry& e) { e.extent_count = 0; }),
              "no more lanes than the extents hold");
    const std::string outside = "extents inside the index";
    EXPECT_EQ(reason([](ListEntry& e) { e.extents[0].block = 0; }), outside);
    EXPECT_EQ(reason([](ListEntry& e) { e.extents[0].block = UINT32_MAX - 1; }), outside);
    EXPECT_EQ(reason([](ListEntry& e) { e.extents[0].offset = 8; }), outside);
    EXPECT_EQ(reason([](ListEntry& e) { e.extents[0].offset = content_bytes; }), outside);
    EXPECT_EQ(reason([](ListEntry& e) { e.extents[0].capacity = 0; }), outside);
    EXPECT_EQ(reason([](ListEntry& e) { e.extents[0].capacity = UINT32_MAX; }), outside);
    const std::string table = "an extent table inside the index";
    EXPECT_EQ(reason([](ListEntry& e) {
                  e.extent_count = 3;
                  e.extents[1] = e.extents[0];
              }),
              table);
    EXPECT_EQ(reason([](ListEntry& e) {
                  e.extent_count = 3;
                  e.extents[1] = e.extents[0];
                  e.table_block = 9;
                  e.table_slot = tables_a_page;
              }),
              table);
}

}  // namespace
}  // namespace pagoda::test

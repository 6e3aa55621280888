// The memory store is the judge of every algorithm, so its own rules are tested: what it does to
// pages, which misuse ends the program, which faults leave which state.
#include "test/support/memory_store.h"

#include <gtest/gtest.h>

namespace pagoda::test {
namespace {

constexpr uint32_t index_id = 5;

class MemoryStoreTest : public testing::Test {
  protected:
    MemoryStoreTest() : memory(4096) {}

    // Commits an edit that makes the page a stream page whose first content byte is `value`.
    void set_page(uint32_t block, uint8_t value) {
        PageEdit edit(memory);
        auto guard = host.lock(block);
        edit.page(guard);
        edit.init(PageKind::ivf_stream, 1, index_id);
        edit.fill(content_begin, 1, value);
        host.commit(edit);
    }
    int first_byte(uint32_t block) {
        return std::to_integer<int>(host.read(block).bytes()[content_begin]);
    }

    MemoryStore host;
    std::vector<std::byte> memory;
};
using MemoryStoreDeathTest = MemoryStoreTest;

TEST_F(MemoryStoreTest, extends_with_zero_pages_and_changes_them_by_edits) {
    EXPECT_EQ(host.extend(2), 0u);
    EXPECT_EQ(host.extend(1), 2u);
    EXPECT_EQ(host.block_count(), 3u);
    EXPECT_EQ(host.page(1), PageImage{});
    set_page(1, 42);
    EXPECT_EQ(first_byte(1), 42);
    EXPECT_EQ(host.page(2), PageImage{});
    expect_page(host, host.read(1).bytes(), PageKind::ivf_stream, 1, index_id, 1);
    host.expect_no_locks();
    host.assert_replay_equal();
}

TEST_F(MemoryStoreTest, commits_several_pages_as_one_record) {
    host.extend(5);
    PageEdit edit(memory);
    auto first = host.lock(0);
    auto last = host.lock(4);
    edit.page(first);
    edit.fill(100, 1, 1);
    edit.page(last);
    edit.fill(100, 1, 2);
    host.commit(edit);
    EXPECT_EQ(host.counters().commits, 1u);
    EXPECT_EQ(host.counters().edit_pages_max, 2u);
    EXPECT_EQ(first.bytes()[100], std::byte{1});
    EXPECT_EQ(last.bytes()[100], std::byte{2});
    // One byte for the record, eight for each page, six for each fill.
    EXPECT_EQ(host.counters().log_bytes, 1u + 2 * (8 + 6));
}

TEST_F(MemoryStoreTest, counts_what_callers_do) {
    host.extend(3);
    {
        const auto a = host.read(0);
        const auto b = host.read(1);
        const auto c = host.lock(2);
    }
    host.read(0).release();
    host.poll();
    host.prefetch(1, 10);
    const StoreCounters& counters = host.counters();
    EXPECT_EQ(counters.reads, 3u);
    EXPECT_EQ(counters.locks, 1u);
    EXPECT_EQ(counters.held_max, 3u);
    EXPECT_EQ(counters.polls, 1u);
    EXPECT_EQ(counters.extended_blocks, 3u);
    EXPECT_EQ(counters.prefetched_blocks, 2u);
    EXPECT_EQ(counters.prefetched_missing, 8u);
}

TEST_F(MemoryStoreTest, guards_move_and_release_early) {
    host.extend(2);
    auto guard = host.read(0);
    auto moved = std::move(guard);
    EXPECT_EQ(moved.block(), 0u);
    guard = host.read(1);
    moved = std::move(guard);  // gives block 0 back
    host.lock(0).release();
    moved.release();
    moved.release();
    host.expect_no_locks();
}

TEST_F(MemoryStoreTest, a_block_past_the_end_leaves_as_a_corrupt_page_error) {
    host.extend(1);
    try {
        host.read(1);
        FAIL();
    } catch (const StoreError& error) {
        EXPECT_EQ(error.error.code, ErrorCode::corrupt_page);
        EXPECT_EQ(error.error.block, 1u);
    }
    EXPECT_THROW(host.lock(no_block), StoreError);
}

TEST_F(MemoryStoreTest, leaving_drops_all_locks_and_guards_become_dead) {
    host.extend(2);
    auto survivor = host.lock(0);
    EXPECT_THROW(host.fail({ErrorCode::invalid_argument, no_block, "more"}), StoreError);
    host.expect_no_locks();
    auto again = host.lock(0);
    survivor.release();
    EXPECT_EQ(again.bytes()[0], std::byte{0});  // still locked by the new guard
}

TEST_F(MemoryStoreTest, fails_exactly_at_the_chosen_access_and_once) {
    host.extend(2);
    host.fail_at_access(3);
    host.read(0).release();
    host.lock(1).release();
    EXPECT_THROW(host.read(0), InjectedFailure);
    host.read(0).release();
}

TEST_F(MemoryStoreTest, a_failing_commit_changes_nothing) {
    host.extend(1);
    set_page(0, 1);
    host.fail_at_access(2);
    EXPECT_THROW(set_page(0, 2), InjectedFailure);
    EXPECT_EQ(first_byte(0), 1);
    host.assert_replay_equal();
}

TEST_F(MemoryStoreTest, cancels_exactly_at_the_chosen_poll) {
    host.cancel_at_poll(2);
    host.poll();
    EXPECT_THROW(host.poll(), Cancelled);
    host.poll();
}

TEST_F(MemoryStoreTest, a_crash_loses_the_record_of_its_commit_and_keeps_those_before) {
    host.extend(2);
    set_page(0, 1);
    host.crash_at_commit(2);
    set_page(1, 2);
    EXPECT_THROW(set_page(0, 3), Crash);
    host.recover(1);
    EXPECT_EQ(first_byte(0), 1);
    EXPECT_EQ(first_byte(1), 2);
    host.assert_replay_equal();
    set_page(0, 4);
    host.assert_replay_equal();
}

TEST_F(MemoryStoreTest, a_crash_keeps_any_number_of_the_unlogged_blocks_at_the_end) {
    std::vector<bool> seen(7);
    for (uint64_t seed = 0; seed < 100; seed++) {
        MemoryStore store;
        store.extend(6);
        PageEdit edit(memory);
        auto guard = store.lock(2);
        edit.page(guard);
        edit.init(PageKind::ivf_stream, 1, index_id);
        store.commit(edit);
        store.recover(seed);
        seen[store.block_count()] = true;
        // Blocks before a logged one exist, as zero pages.
        EXPECT_EQ(store.page(0), PageImage{});
        EXPECT_EQ(page_tag(store.page(2)).index_id, index_id);
        store.assert_replay_equal();
    }
    EXPECT_EQ(seen, (std::vector<bool>{false, false, false, true, true, true, true}));
}

TEST_F(MemoryStoreTest, recovers_from_a_checkpoint_and_appended_pages) {
    PageImage page;
    init_page(page, PageKind::ivf_meta, 1, index_id);
    EXPECT_EQ(host.append_page(page), 0u);
    set_page(0, 7);
    host.checkpoint();
    EXPECT_EQ(host.append_page(page), 1u);
    set_page(1, 8);
    const auto before = host.image();
    host.recover(3);
    EXPECT_EQ(host.image(), before);
    EXPECT_EQ(host.counters().appended_blocks, 2u);
}

TEST_F(MemoryStoreTest, replay_loses_the_hole_as_full_page_images_do) {
    host.extend(1);
    PageEdit edit(memory);
    auto guard = host.lock(0);
    edit.page(guard);
    edit.init(PageKind::ivf_stream, 1, index_id);
    edit.fill(1000, 10, 1);
    edit.bounds(1000, 1010);
    host.commit(edit);
    host.assert_replay_equal();  // the ten bytes do not count
    edit.reset();
    edit.page(guard);
    edit.move(1000, 2000, 10);  // reads the hole: primary and replica now differ
    host.commit(edit);
    EXPECT_DEATH(host.assert_replay_equal(), "check failed");
}

TEST_F(MemoryStoreTest, damage_and_truncation_become_the_state_that_recovery_finds) {
    host.extend(3);
    set_page(2, 9);
    host.damage(1, [](PageBytes page) { page[5000] = std::byte{77}; });
    host.recover(1);
    EXPECT_EQ(host.page(1)[5000], std::byte{77});
    EXPECT_EQ(first_byte(2), 9);
    host.truncate(2);
    EXPECT_EQ(host.block_count(), 2u);
    EXPECT_THROW(host.read(2), StoreError);
    host.assert_replay_equal();
}

TEST_F(MemoryStoreTest, another_caller_may_run_whenever_no_page_is_held) {
    host.extend(3);
    int runs = 0;
    host.on_unlocked_access = [&] {
        runs++;
        set_page(2, static_cast<uint8_t>(runs));
    };
    {
        const auto first = host.read(0);
        const auto second = host.read(1);  // not before this one
        EXPECT_EQ(runs, 1);
    }
    EXPECT_EQ(first_byte(2), 2);
}

TEST_F(MemoryStoreTest, reports_new_locks_with_those_that_are_held) {
    host.extend(3);
    std::vector<std::vector<uint32_t>> seen;
    host.on_lock_order = [&](std::span<const uint32_t> held, uint32_t block) {
        seen.emplace_back(held.begin(), held.end());
        seen.back().push_back(block);
    };
    const auto first = host.read(2);
    const auto second = host.lock(0);
    EXPECT_EQ(seen, (std::vector<std::vector<uint32_t>>{{2}, {2, 0}}));
}

TEST_F(MemoryStoreDeathTest, two_locks_on_one_page_end_the_program) {
    host.extend(2);
    const auto shared = host.read(0);
    const auto exclusive = host.lock(1);
    EXPECT_DEATH(host.read(0), "check failed");
    EXPECT_DEATH(host.lock(0), "check failed");
    EXPECT_DEATH(host.read(1), "check failed");
    EXPECT_DEATH(host.lock(1), "check failed");
}

TEST_F(MemoryStoreTest, two_locks_on_one_page_of_a_damaged_index_leave_as_an_error) {
    host.extend(1);
    host.self_lock_is_damage = true;
    const auto exclusive = host.lock(0);
    EXPECT_THROW(host.read(0), StoreError);
    host.expect_no_locks();
}

TEST_F(MemoryStoreDeathTest, a_sixth_page_ends_the_program) {
    host.extend(6);
    std::vector<MemoryStore::ReadGuard> guards;
    for (uint32_t block = 0; block < 5; block++) guards.push_back(host.read(block));
    EXPECT_DEATH(host.read(5), "check failed");
}

TEST_F(MemoryStoreDeathTest, polling_or_ending_with_a_page_held_ends_the_program) {
    host.extend(1);
    const auto guard = host.read(0);
    EXPECT_DEATH(host.poll(), "check failed");
    EXPECT_DEATH(host.expect_no_locks(), "check failed");
}

TEST_F(MemoryStoreDeathTest, commit_needs_pages_that_are_locked_exclusively) {
    host.extend(2);
    PageEdit edit(memory);
    EXPECT_DEATH(host.commit(edit), "check failed");
    {
        auto guard = host.lock(0);
        edit.page(guard);
        edit.fill(100, 1, 1);
    }
    EXPECT_DEATH(host.commit(edit), "check failed");
    const auto shared = host.read(0);
    EXPECT_DEATH(host.commit(edit), "check failed");
}

TEST_F(MemoryStoreDeathTest, a_dead_or_released_guard_shows_no_bytes) {
    host.extend(1);
    auto guard = host.lock(0);
    EXPECT_THROW(host.fail({ErrorCode::invalid_argument, no_block, ""}), StoreError);
    EXPECT_DEATH((void)guard.bytes(), "check failed");
    auto released = host.lock(0);
    released.release();
    EXPECT_DEATH((void)released.bytes(), "check failed");
}

TEST_F(MemoryStoreDeathTest, nothing_runs_between_crash_and_recovery) {
    host.extend(1);
    host.crash_at_commit(1);
    EXPECT_THROW(set_page(0, 1), Crash);
    EXPECT_DEATH(host.read(0), "check failed");
    host.recover(1);
}

#if defined(__SANITIZE_ADDRESS__)
TEST_F(MemoryStoreDeathTest, bytes_that_outlive_their_lock_are_poison) {
    host.extend(1);
    auto guard = host.lock(0);
    const ConstPageBytes bytes = guard.bytes();
    EXPECT_EQ(bytes[100], std::byte{0});
    guard.release();
    EXPECT_DEATH((void)*static_cast<const volatile std::byte*>(&bytes[100]), "use-after-poison");
}
#endif

}  // namespace
}  // namespace pagoda::test

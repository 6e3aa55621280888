// Crashes, cancellation, failures and concurrent changes at every point of inserts, VACUUM, scans
// and builds. After each the index holds every row whose insertion had finished, once, and goes on
// working.
#include <gtest/gtest.h>

#include <set>

#include "test/unit/ivf/index_fixture.h"

namespace pagoda::test {
namespace {

VectorSet some_rows(size_t rows, size_t dim) {
    ClusteredShape shape;
    shape.rows = rows;
    shape.dim = dim;
    shape.intrinsic_dim = std::min<size_t>(dim, 16);
    shape.clusters = 5;
    return clustered(shape);
}

// The rows of the index as a set; a row that comes twice fails the test.
std::set<uint32_t> rows_of(MemoryStore& store, std::span<const float> query) {
    std::set<uint32_t> rows;
    for (const uint32_t row : search_rows(store, query, SIZE_MAX)) {
        EXPECT_TRUE(rows.insert(row).second) << "row " << row << " came twice";
    }
    return rows;
}

// A small index that changes: what it must hold, and what it may hold because an operation was cut.
class History {
  public:
    History(uint32_t dim, uint32_t rows, uint8_t refine_bits = 8)
        : set_(some_rows(rows, dim)), dead_(rows, false) {
        VectorSet first = set_;
        first.values.resize(size_t{rows / 2} * dim);
        auto options = build_options(dim, ivf::Metric::l2, rows / 2);
        options.lists = 2;
        options.refine_bits = refine_bits;
        build_index(store, first, options);
        for (uint32_t i = 0; i < rows / 2; i++) must_.insert(i);
        store.checkpoint();
    }

    // Inserts the other half, then deletes every fourth row and inserts it again.
    void run() {
        const auto rows = static_cast<uint32_t>(set_.rows());
        for (; next_ < rows; next_++) insert(next_);
        if (!vacuumed_) {
            for (uint32_t i = 0; i < rows; i += 4) dead_[i] = true;
            for (uint32_t i = 0; i < rows; i += 4) {
                must_.erase(i);
                may_.insert(i);
            }
            vacuum_rows(store, dead_);
            vacuumed_ = true;
            may_.clear();
        }
        for (; again_ < rows; again_ += 4) insert(again_);
    }

    // After a crash: what was cut is made good by removing it and doing it again, as a server does.
    void go_on() {
        check_rows();
        std::vector<bool> cut(set_.rows(), false);
        for (const uint32_t row : may_) cut[row] = true;
        vacuum_rows(store, cut);
        may_.clear();
        if (!vacuumed_ && next_ == set_.rows()) vacuumed_ = true;  // just done for those rows
        run();
        check_rows();
    }

    void check_rows() {
        const auto rows = rows_of(store, set_.row(0));
        for (const uint32_t row : must_) EXPECT_TRUE(rows.contains(row)) << row;
        for (const uint32_t row : rows) {
            EXPECT_TRUE(must_.contains(row) || may_.contains(row)) << row;
        }
        EXPECT_EQ(ivf::index_statistics(store).rows, rows.size());
    }

    MemoryStore store;

  private:
    void insert(uint32_t row) {
        may_.insert(row);
        insert_row(store, set_.row(row), row);
        must_.insert(row);
        may_.erase(row);
    }

    VectorSet set_;
    std::vector<bool> dead_;
    std::set<uint32_t> must_, may_;
    uint32_t next_ = static_cast<uint32_t>(set_.rows() / 2);
    uint32_t again_ = 0;
    bool vacuumed_ = false;
};

uint64_t commits_of_history(uint32_t dim, uint32_t rows, uint8_t refine_bits) {
    History history(dim, rows, refine_bits);
    history.store.reset_counters();
    history.run();
    history.check_rows();
    history.store.assert_replay_equal();
    return history.store.counters().commits;
}

void crash_at_every_commit(uint32_t dim, uint32_t rows, uint8_t refine_bits, uint64_t step = 1) {
    const uint64_t commits = commits_of_history(dim, rows, refine_bits);
    ASSERT_GT(commits, rows / 2);
    for (uint64_t n = 1; n <= commits; n += step) {
        SCOPED_TRACE(testing::Message() << "crash at commit " << n << ", seed " << n);
        History history(dim, rows, refine_bits);
        history.store.crash_at_commit(n);
        EXPECT_THROW(history.run(), Crash);
        history.store.recover(n);
        history.go_on();
        if (testing::Test::HasFailure()) return;
    }
}

TEST(ivf_crash, every_commit_of_small_rows_leaves_a_sound_index) {
    crash_at_every_commit(64, 80, 8);
}

TEST(ivf_crash, commits_of_rows_that_need_several_edits_leave_a_sound_index) {
    crash_at_every_commit(8145, 16, 8, 2);
}

TEST(ivf_crash, every_commit_without_refinement_leaves_a_sound_index) {
    crash_at_every_commit(96, 40, 0);
}

TEST(ivf_failure, a_failure_at_any_page_access_of_an_insert_loses_nothing) {
    for (uint64_t n = 1;; n++) {
        History history(200, 12);
        history.store.fail_at_access(n);
        bool failed = false;
        try {
            history.run();
        } catch (const InjectedFailure&) {
            failed = true;
            history.store.abort_transaction();
        }
        history.store.clear_faults();
        SCOPED_TRACE(testing::Message() << "access " << n);
        history.go_on();
        if (!failed) {
            EXPECT_GT(n, 50u);
            return;
        }
        if (testing::Test::HasFailure()) return;
    }
}

TEST(ivf_cancel, a_scan_cancelled_at_any_check_leaves_nothing_behind) {
    const VectorSet set = some_rows(1200, 64);
    MemoryStore store;
    auto options = build_options(64, ivf::Metric::l2, set.rows());
    options.lists = 30;
    build_index(store, set, options);
    for (uint64_t n = 1;; n++) {
        store.cancel_at_poll(n);
        try {
            search_rows(store, set.row(1), SIZE_MAX);
            EXPECT_GT(n, 40u);
            break;
        } catch (const Cancelled&) {
            store.abort_transaction();
        }
        ASSERT_EQ(search_rows(store, set.row(1), 1)[0], 1u);
    }
    store.clear_faults();
    EXPECT_EQ(rows_of(store, set.row(1)).size(), set.rows());
}

struct Countdown {
    uint64_t left;
    uint64_t calls = 0;
    static void poll(void* context) {
        auto& self = *static_cast<Countdown*>(context);
        self.calls++;
        if (self.left > 0 && --self.left == 0) throw Cancelled();
    }
};

TEST(ivf_cancel, a_build_cancelled_at_any_check_can_be_done_again) {
    const VectorSet set = some_rows(800, 64);
    const auto options = build_options(64, ivf::Metric::cosine, set.rows());
    Countdown all{0};
    {
        MemoryStore store;
        build_index(store, set, options, {&Countdown::poll, &all});
    }
    ASSERT_GT(all.calls, 20u);
    for (uint64_t n = 1; n <= all.calls; n += 1 + all.calls / 60) {
        MemoryStore store;
        Countdown countdown{n};
        EXPECT_THROW(build_index(store, set, options, {&Countdown::poll, &countdown}), Cancelled);
    }
    MemoryStore store;
    build_index(store, set, options, {&Countdown::poll, &all});
    EXPECT_EQ(rows_of(store, set.row(0)).size(), set.rows());
}

// Another backend inserts and removes rows while a scan runs: rows that are there all the time come
// once each.
TEST(ivf_concurrency, a_scan_returns_lasting_rows_once_while_others_come_and_go) {
    for (const size_t interval : {3u, 17u, 101u}) {
        const VectorSet set = some_rows(3000, 64);
        MemoryStore store;
        VectorSet first = set;
        first.values.resize(size_t{2000} * 64);
        auto options = build_options(64, ivf::Metric::l2, first.rows());
        options.lists = 12;
        build_index(store, first, options);
        std::vector<bool> dead(3000, false);
        uint32_t next = 2000, remove = 0;
        size_t accesses = 0;
        store.on_unlocked_access = [&] {
            if (++accesses % interval != 0 || next == 3000) return;
            insert_row(store, set.row(next), next);
            next++;
            if (next % 50 == 0) {
                // Rows 0, 5, 10 .. are removed by and by; the others last.
                for (uint32_t end = remove + 100; remove < end; remove += 5) dead[remove] = true;
                vacuum_rows(store, dead);
            }
        };
        const auto rows = rows_of(store, set.row(7));
        store.on_unlocked_access = nullptr;
        EXPECT_GT(next, 2005u);
        for (uint32_t row = 0; row < 2000; row++) {
            EXPECT_TRUE(row % 5 == 0 || rows.contains(row)) << row;
        }
    }
}

// The index grows between the moment a search starts and its first look at the meta page.
TEST(ivf_concurrency, an_index_that_grows_while_its_meta_page_is_read_is_sound) {
    const VectorSet set = some_rows(900, 64);
    MemoryStore store;
    VectorSet first = set;
    first.values.resize(size_t{300} * 64);
    build_index(store, first, build_options(64, ivf::Metric::l2, first.rows()));
    const uint32_t blocks = store.block_count();
    uint32_t next = 300;
    store.on_unlocked_access = [&] {
        for (; next < 900; next++) insert_row(store, set.row(next), next);
    };
    EXPECT_GE(rows_of(store, set.row(7)).size(), 300u);
    store.on_unlocked_access = nullptr;
    EXPECT_GT(store.block_count(), blocks);
}

}  // namespace
}  // namespace pagoda::test

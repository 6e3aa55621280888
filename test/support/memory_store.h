// A PageStore and BulkStore in memory, for tests: what the server would do, plus faults.
//
// It holds the pages, the image that they had at the last checkpoint(), and the log since then as
// bytes: one record a commit or an appended page. It throws where the server leaves by longjmp, and
// like transaction abort it drops every lock before it does. A caller that breaks a rule of
// core/page/store.h (locks, guards, poll) fails a check and ends the program. Under the address
// sanitizer the bytes of a page are readable only while the page is locked.
//
// One caller at a time: two locks on a page by one caller are an error, not a wait. Other callers
// are modelled by `on_unlocked_access`, which may run whole operations in between.
#pragma once

#include <array>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/base/random.h"
#include "core/page/store.h"

namespace pagoda::test {

// fail(): the error that core found.
struct StoreError : std::exception {
    explicit StoreError(const Error& found) : error(found) {}
    const char* what() const noexcept override { return error.expected; }
    Error error;
};
// The machine stopped; recover() starts it again.
struct Crash : std::exception {
    const char* what() const noexcept override { return "crash"; }
};
// A page access or an allocation failed, as input/output errors and lack of memory do.
struct InjectedFailure : std::exception {
    const char* what() const noexcept override { return "injected failure"; }
};
// The user cancelled.
struct Cancelled : std::exception {
    const char* what() const noexcept override { return "cancelled"; }
};

struct StoreCounters {
    uint64_t reads = 0;
    uint64_t locks = 0;
    uint64_t commits = 0;
    uint64_t polls = 0;
    uint64_t extended_blocks = 0;
    uint64_t appended_blocks = 0;
    uint64_t prefetched_blocks = 0;
    uint64_t prefetched_missing = 0;  // past the end: harmless, but not what an intact index does
    uint64_t log_bytes = 0;
    size_t held_max = 0;
    size_t edit_pages_max = 0;
};

using PageImage = std::array<std::byte, page_bytes>;

class MemoryStore {
  public:
    static constexpr size_t held_limit = 5;
    enum class Lock : uint8_t { none, shared, exclusive };

    // Unlocks when it goes out of scope. After an abort or a crash the lock is already gone and the
    // guard is dead.
    template <Lock mode>
    class Guard {
      public:
        Guard(Guard&& other) noexcept
            : store_(other.store_), block_(other.block_), epoch_(other.epoch_) {
            other.store_ = nullptr;
        }
        Guard& operator=(Guard&& other) noexcept {
            if (this != &other) {
                release();
                store_ = other.store_, block_ = other.block_, epoch_ = other.epoch_;
                other.store_ = nullptr;
            }
            return *this;
        }
        ~Guard() { release(); }

        uint32_t block() const { return block_; }
        int32_t handle() const { return static_cast<int32_t>(block_); }
        ConstPageBytes bytes() const {
            check_always(store_ != nullptr && epoch_ == store_->epoch_);
            return *store_->pages_[block_];
        }
        void release() {
            if (store_ != nullptr) store_->unlock(block_, epoch_);
            store_ = nullptr;
        }

      private:
        friend class MemoryStore;
        Guard(MemoryStore* store, uint32_t block)
            : store_(store), block_(block), epoch_(store->epoch_) {}

        MemoryStore* store_;
        uint32_t block_;
        uint64_t epoch_;
    };
    using ReadGuard = Guard<Lock::shared>;
    using WriteGuard = Guard<Lock::exclusive>;

    explicit MemoryStore(TransformTable transforms = {}) : transforms_(transforms) {}
    ~MemoryStore();
    MemoryStore(const MemoryStore&) = delete;
    MemoryStore& operator=(const MemoryStore&) = delete;

    // PageStore and BulkStore.
    ReadGuard read(uint32_t block);
    WriteGuard lock(uint32_t block);
    uint32_t block_count() const { return static_cast<uint32_t>(pages_.size()); }
    uint32_t extend(uint32_t count);
    void prefetch(uint32_t block, uint32_t count);
    void commit(PageEdit& edit);
    void poll();
    [[noreturn]] void fail(Error error);
    uint32_t append_page(ConstPageBytes page);

    // Faults. `nth` counts from 1, from now on; each fires once. Accesses are read, lock, extend,
    // commit (before anything is changed) and append_page. A crash at a commit loses its record;
    // together with the crash at the next one this covers every state that recovery can find.
    void fail_at_access(uint64_t nth) { fail_in_ = nth; }
    void crash_at_commit(uint64_t nth) { crash_in_ = nth; }
    void cancel_at_poll(uint64_t nth) { cancel_in_ = nth; }
    void clear_faults() { fail_in_ = crash_in_ = cancel_in_ = 0; }

    // Runs before a read or lock of a caller that holds no page: the place where another backend
    // may do anything. Not called again from inside itself.
    std::function<void()> on_unlocked_access;
    // When set, called for each new lock with the blocks that are held already, in lock order.
    std::function<void(std::span<const uint32_t> held, uint32_t block)> on_lock_order;

    // Set for a damaged index: a second lock on a page, which damaged pointers may ask for, leaves
    // as a corrupt-page error, as it must in the server instead of waiting for itself. Without it,
    // it is a bug of the caller and ends the program.
    bool self_lock_is_damage = false;

    // Ends the program when the caller still holds a page. Call it after each operation.
    void expect_no_locks() const { check_always(held_.empty()); }
    // Drops all locks, as transaction abort does; living guards become dead.
    void abort_transaction();

    // Starts again after a crash: pages become the checkpointed image plus the log. Blocks that
    // were added but never logged are all-zero; how many of them are left at the end depends on the
    // seed.
    void recover(uint64_t seed);
    // Makes the pages of now the image that recovery starts from.
    void checkpoint();
    // Ends the program when image and log together do not give the pages of now. Bytes between
    // pd_lower and pd_upper do not count: full-page images lose them.
    void assert_replay_equal() const;

    // Changes a page behind the log's back and makes a checkpoint.
    void damage(uint32_t block, const std::function<void(PageBytes)>& change);
    // Cuts off all blocks from `blocks` on and makes a checkpoint.
    void truncate(uint32_t blocks);

    PageImage page(uint32_t block) const;
    std::vector<PageImage> image() const;
    // Replaces all pages and makes a checkpoint.
    void load_image(std::span<const PageImage> image);

    const StoreCounters& counters() const { return counters_; }
    void reset_counters() { counters_ = {}; }

  private:
    void before_access(uint32_t block);
    void take_lock(uint32_t block, Lock mode);
    void unlock(uint32_t block, uint64_t epoch);
    void count_access();
    void log_edit(const PageEdit& edit);
    void log_image(uint32_t block, ConstPageBytes page);
    std::vector<PageImage> replay() const;
    void set_pages(std::span<const PageImage> image);

    TransformTable transforms_;
    std::vector<std::unique_ptr<PageImage>> pages_;
    std::vector<Lock> locks_;
    std::vector<uint32_t> held_;
    std::vector<PageImage> base_;
    std::vector<std::vector<std::byte>> log_;
    StoreCounters counters_;
    uint64_t epoch_ = 1;
    uint64_t fail_in_ = 0;
    uint64_t crash_in_ = 0;
    uint64_t cancel_in_ = 0;
    bool crashed_ = false;
    bool inside_hook_ = false;
};

static_assert(PageStore<MemoryStore>);
static_assert(BulkStore<MemoryStore>);

}  // namespace pagoda::test

// PageStore of the server: the pages of one index through shared buffers. Guards hold one pinned
// and locked buffer; their destructors do what transaction abort does as well, so that ereport may
// skip them. Changes go through commit(), which is generic WAL (pg/wal.h).
#pragma once

#include "core/page/store.h"
#include "pg/backend.h"
#include "pg/compat.h"

namespace pagoda {

// The server's page layout is what core/page/layout.h says.
static_assert(BLCKSZ == page_bytes);
static_assert(SizeOfPageHeaderData == page_header_bytes);
static_assert(offsetof(PageHeaderData, pd_lower) == pd_lower_offset);
static_assert(offsetof(PageHeaderData, pd_upper) == pd_upper_offset);
static_assert(offsetof(PageHeaderData, pd_special) == pd_special_offset);
static_assert(offsetof(PageHeaderData, pd_pagesize_version) == pd_pagesize_version_offset);
static_assert((BLCKSZ | PG_PAGE_LAYOUT_VERSION) == pd_pagesize_version);
static_assert(BLCKSZ - MAXALIGN(sizeof(PageTag)) == content_end);
static_assert(no_block == InvalidBlockNumber);

// A locked and pinned buffer, or none after release() or a move.
class BufferGuard {
  public:
    explicit BufferGuard(Buffer locked_buffer) : buffer_(locked_buffer) {}
    BufferGuard(BufferGuard&& other) noexcept
        : buffer_(std::exchange(other.buffer_, InvalidBuffer)) {}
    BufferGuard& operator=(BufferGuard&& other) noexcept {
        if (this != &other) {
            release();
            buffer_ = std::exchange(other.buffer_, InvalidBuffer);
        }
        return *this;
    }
    BufferGuard(const BufferGuard&) = delete;
    BufferGuard& operator=(const BufferGuard&) = delete;
    ~BufferGuard() { release(); }

    uint32_t block() const { return BufferGetBlockNumber(buffer_); }
    // Valid while this guard holds the lock.
    ConstPageBytes bytes() const {
        return ConstPageBytes(reinterpret_cast<const std::byte*>(BufferGetPage(buffer_)),
                              page_bytes);
    }
    // Unlocks and unpins; the guard is empty afterwards.
    void release() {
        if (BufferIsValid(buffer_)) UnlockReleaseBuffer(std::exchange(buffer_, InvalidBuffer));
    }

  protected:
    Buffer buffer_;
};

// Shared lock.
class ReadGuard : public BufferGuard {
  public:
    using BufferGuard::BufferGuard;
};

// Exclusive lock; may take part in an edit.
class WriteGuard : public BufferGuard {
  public:
    using BufferGuard::BufferGuard;
    int32_t handle() const { return buffer_; }
};

// What poll() does besides taking interrupts.
enum class PollKind : uint8_t { interrupts, vacuum };

class Store {
  public:
    using ReadGuard = pagoda::ReadGuard;
    using WriteGuard = pagoda::WriteGuard;

    // `index` must stay open, locked by the caller, for the life of the store. `strategy` may be
    // nullptr.
    explicit Store(Relation index, BufferAccessStrategy strategy = nullptr,
                   PollKind poll_kind = PollKind::interrupts)
        : index_(index), strategy_(strategy), poll_kind_(poll_kind) {}

    // Pages are read for a scan under this snapshot, which must outlive the store.
    void scan_under(Snapshot snapshot) { snapshot_ = snapshot; }

    ReadGuard read(uint32_t block) {
        const Buffer buffer = locked_buffer(block, BUFFER_LOCK_SHARE);
        if (snapshot_ != nullptr) {
            expect_snapshot_not_too_old(snapshot_, index_, BufferGetPage(buffer));
        }
        return ReadGuard(buffer);
    }
    WriteGuard lock(uint32_t block) {
        return WriteGuard(locked_buffer(block, BUFFER_LOCK_EXCLUSIVE));
    }
    uint32_t block_count();
    uint32_t extend(uint32_t count);
    void prefetch(uint32_t block, uint32_t count);
    void commit(PageEdit& edit);
    void poll();
    [[noreturn]] void fail(Error error);

  private:
    // The buffer of an existing block, pinned and locked.
    Buffer locked_buffer(uint32_t block, int lock_mode);

    Relation index_;
    BufferAccessStrategy strategy_;
    Snapshot snapshot_ = nullptr;
    // The index had at least this many blocks; it does not shrink while we hold a lock on it.
    uint32_t known_blocks_ = 0;
    PollKind poll_kind_;
};

static_assert(PageStore<Store>);
static_assert(std::is_trivially_destructible_v<Store>);

}  // namespace pagoda

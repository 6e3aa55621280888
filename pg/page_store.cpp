// Reading, locking and extending the pages of an index.
#include "pg/page_store.h"

#include "pg/compat.h"
#include "pg/error.h"
#include "pg/interrupts.h"
#include "pg/wal.h"

namespace pagoda {

namespace {

bool buffer_locked_by_me(Buffer buffer) {
    if (BufferIsLocal(buffer)) return false;  // no locks on pages of temporary tables
    return LWLockHeldByMe(BufferDescriptorGetContentLock(GetBufferDescriptor(buffer - 1)));
}

}  // namespace

Buffer Store::locked_buffer(uint32_t block, int lock_mode) {
    if (block >= known_blocks_ && block >= block_count()) {
        fail({ErrorCode::corrupt_page, block, "a block inside the index"});
    }
    const Buffer buffer = ReadBufferExtended(index_, MAIN_FORKNUM, block, RBM_NORMAL, strategy_);
    // Pointers on a damaged page may lead back to a page that this backend has locked: waiting for
    // itself could not even be cancelled.
    if (buffer_locked_by_me(buffer)) {
        ReleaseBuffer(buffer);
        fail({ErrorCode::corrupt_page, block, "pointers to pages that are not in use here"});
    }
    LockBuffer(buffer, lock_mode);
    return buffer;
}

uint32_t Store::block_count() {
    known_blocks_ = RelationGetNumberOfBlocks(index_);
    return known_blocks_;
}

// The lock keeps the blocks consecutive: nobody else extends in between.
uint32_t Store::extend(uint32_t count) {
    check(count > 0);
    LockRelationForExtension(index_, ExclusiveLock);
    const uint32_t first = block_count();
    for (uint32_t i = 0; i < count; i++) {
        const Buffer buffer = ReadBuffer(index_, P_NEW);
        check(BufferGetBlockNumber(buffer) == first + i);
        ReleaseBuffer(buffer);
    }
    UnlockRelationForExtension(index_, ExclusiveLock);
    known_blocks_ = first + count;
    return first;
}

void Store::prefetch(uint32_t block, uint32_t count) {
    if (uint64_t{block} + count > known_blocks_) {
        const uint32_t blocks = block_count();
        if (block >= blocks) return;
        count = std::min(count, blocks - block);
    }
    for (uint32_t i = 0; i < count; i++) PrefetchBuffer(index_, MAIN_FORKNUM, block + i);
}

void Store::commit(PageEdit& edit) {
    if (Status status = log_edit(index_, edit); !status) fail(status.error());
}

void Store::poll() {
    poll_interrupts();
    if (poll_kind_ == PollKind::vacuum) delay_vacuum();
}

void Store::fail(Error error) {
    raise_error(error, RelationGetRelationName(index_));
}

}  // namespace pagoda

// Page output of builds.
#include "pg/bulk_store.h"

#include "pg/compat.h"
#include "pg/interrupts.h"

namespace pagoda {

static_assert(BulkStore<IndexWriter>);
static_assert(std::is_trivially_destructible_v<IndexWriter>);

IndexWriter::IndexWriter(Relation index, ForkNumber fork)
    : index_(index),
      fork_(fork),
      needs_wal_(RelationNeedsWAL(index) || fork == INIT_FORKNUM),
      batch_(static_cast<char*>(palloc(batch_pages * page_bytes))) {}

uint32_t IndexWriter::append_page(ConstPageBytes page) {
    if (batched_ == batch_pages) write_batch();
    std::memcpy(batch_ + batched_ * page_bytes, page.data(), page_bytes);
    return written_ + batched_++;
}

void IndexWriter::poll() {
    poll_interrupts();
}

void IndexWriter::finish() {
    write_batch();
    pfree(std::exchange(batch_, nullptr));
    // A checkpoint after our records were written starts recovery behind them, but it did not flush
    // pages that never were in shared buffers.
    if (needs_wal_) smgrimmedsync(RelationGetSmgr(index_), fork_);
}

void IndexWriter::write_batch() {
    if (batched_ == 0) return;
    SMgrRelation storage = RelationGetSmgr(index_);
    BlockNumber blocks[batch_pages];
    Page pages[batch_pages];
    for (uint32_t i = 0; i < batched_; i++) {
        blocks[i] = written_ + i;
        pages[i] = batch_ + i * page_bytes;
    }
    if (needs_wal_) {
        log_newpages(physical_name_of(storage), fork_, static_cast<int>(batched_), blocks, pages,
                     true);
    }
    for (uint32_t i = 0; i < batched_; i++) {
        PageSetChecksumInplace(pages[i], blocks[i]);
        smgrextend(storage, fork_, blocks[i], pages[i], true);
    }
    written_ += batched_;
    batched_ = 0;
}

}  // namespace pagoda

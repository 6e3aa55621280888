// BulkStore of the server: a build writes whole pages in block order, past shared buffers. Pages
// are logged in batches as images where the relation needs WAL, then written; finish() makes them
// durable where a checkpoint that ran meanwhile would not have seen them.
#pragma once

#include "core/page/store.h"
#include "pg/backend.h"

namespace pagoda {

class IndexWriter {
  public:
    // Writes to the empty fork `fork` of `index`. The init fork of an unlogged index is always
    // logged: it is what a restart after a crash copies from. Batches live in the current memory
    // context.
    IndexWriter(Relation index, ForkNumber fork);

    // Copies `page`; returns the block that it will have.
    uint32_t append_page(ConstPageBytes page);
    void poll();
    // Writes what is left. No page may be appended afterwards.
    void finish();
    uint32_t page_count() const { return written_ + batched_; }

  private:
    static constexpr uint32_t batch_pages = 32;  // XLR_MAX_BLOCK_ID, the most one record carries

    // Logs and writes the pages of the batch.
    void write_batch();

    Relation index_;
    ForkNumber fork_;
    bool needs_wal_;
    uint32_t written_ = 0;
    uint32_t batched_ = 0;
    char* batch_;  // batch_pages pages
};

}  // namespace pagoda

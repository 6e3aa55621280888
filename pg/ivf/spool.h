// Records of a build on their way from the table to the index, sorted by list: a tuplesort of
// (int4 list, bytea record) bounded by half of maintenance_work_mem (the trainer has the other
// half), which goes to disk when it must.
#pragma once

#include "pg/backend.h"

namespace pagoda::ivf {

// Trivially destructible: the sort's memory and files belong to the transaction. All calls may
// leave by ereport(ERROR).
class Spool {
  public:
    // All records have `record_bytes` bytes. Memory comes from the current context.
    explicit Spool(size_t record_bytes);

    void add(uint32_t list, std::span<const std::byte> record);
    // Ends adding.
    void sort();
    // The next record in list order, valid until the next call; false after the last one.
    bool next(uint32_t* list, std::span<const std::byte>* record);
    void end();

  private:
    size_t record_bytes_;
    bytea* buffer_;  // one record with its varlena header
    Tuplesortstate* sort_;
    TupleTableSlot* in_;
    TupleTableSlot* out_;
};

}  // namespace pagoda::ivf

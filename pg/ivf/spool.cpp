// The sort of build records.
#include "pg/ivf/spool.h"

#include "core/base/check.h"

namespace pagoda::ivf {

static_assert(std::is_trivially_destructible_v<Spool>);

static TupleDesc record_columns() {
    TupleDesc columns = CreateTemplateTupleDesc(2);
    TupleDescInitEntry(columns, 1, "list", INT4OID, -1, 0);
    TupleDescInitEntry(columns, 2, "record", BYTEAOID, -1, 0);
    // Plain storage keeps the long varlena header, and with it the alignment of the record.
    TupleDescAttr(columns, 1)->attstorage = TYPSTORAGE_PLAIN;
    return columns;
}

Spool::Spool(size_t record_bytes)
    : record_bytes_(record_bytes), buffer_(static_cast<bytea*>(palloc(VARHDRSZ + record_bytes))) {
    SET_VARSIZE(buffer_, VARHDRSZ + record_bytes);
    TupleDesc columns = record_columns();
    AttrNumber sort_column = 1;
    Oid less = Int4LessOperator;
    Oid collation = InvalidOid;
    bool nulls_first = false;
    sort_ = tuplesort_begin_heap(columns, 1, &sort_column, &less, &collation, &nulls_first,
                                 maintenance_work_mem / 2, nullptr, TUPLESORT_NONE);
    in_ = MakeSingleTupleTableSlot(columns, &TTSOpsVirtual);
    out_ = MakeSingleTupleTableSlot(columns, &TTSOpsMinimalTuple);
}

void Spool::add(uint32_t list, std::span<const std::byte> record) {
    check(record.size() == record_bytes_);
    std::memcpy(VARDATA(buffer_), record.data(), record.size());
    ExecClearTuple(in_);
    in_->tts_values[0] = Int32GetDatum(static_cast<int32>(list));
    in_->tts_values[1] = PointerGetDatum(buffer_);
    in_->tts_isnull[0] = in_->tts_isnull[1] = false;
    ExecStoreVirtualTuple(in_);
    tuplesort_puttupleslot(sort_, in_);
}

void Spool::sort() {
    tuplesort_performsort(sort_);
}

bool Spool::next(uint32_t* list, std::span<const std::byte>* record) {
    if (!tuplesort_gettupleslot(sort_, true, false, out_, nullptr)) return false;
    slot_getallattrs(out_);
    *list = static_cast<uint32_t>(DatumGetInt32(out_->tts_values[0]));
    const auto* bytes = reinterpret_cast<const bytea*>(DatumGetPointer(out_->tts_values[1]));
    *record = {reinterpret_cast<const std::byte*>(VARDATA(bytes)), VARSIZE(bytes) - VARHDRSZ};
    return true;
}

void Spool::end() {
    ExecDropSingleTupleTableSlot(in_);
    ExecDropSingleTupleTableSlot(out_);
    tuplesort_end(sort_);
}

}  // namespace pagoda::ivf

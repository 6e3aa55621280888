// The ordered scan. All that core allocates lives in one memory context of the scan, which a rescan
// empties; the search keeps no page pinned between two rows.
//
// VACUUM need not wait for scans: a row that a scan's MVCC snapshot can see is not removed while
// the snapshot lives, and whatever takes the place of a removed row is invisible to it. Other
// snapshots have no such promise and are refused.
#include "core/ivf/search.h"
#include "pg/compat.h"
#include "pg/error.h"
#include "pg/ivf/am.h"
#include "pg/ivf/value.h"
#include "pg/memory.h"
#include "pg/page_store.h"
#include "pg/settings.h"
#include "pg/tid.h"

namespace pagoda::ivf {

namespace {

struct ScanState {
    MemoryContext context;
    Search<Store>* search;  // in `context`; nullptr before the first row
    // The table had at least this many blocks; it does not shrink while we hold a lock on it.
    uint32_t known_table_blocks;
};

static_assert(std::is_trivially_destructible_v<Search<Store>>);

ScanState* state_of(IndexScanDesc scan) {
    return static_cast<ScanState*>(scan->opaque);
}

void expect_usable_scan(IndexScanDesc scan) {
    if (scan->numberOfOrderBys != 1) {
        ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                        errmsg("scan of an ivf_rabitq index needs an ORDER BY operator")));
    }
    if (!IsMVCCSnapshot(scan->xs_snapshot)) {
        ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                        errmsg("scan of an ivf_rabitq index needs an MVCC snapshot")));
    }
}

// The vector of the ORDER BY operator, or empty for NULL, which is equally far from every row.
std::span<const float> query_of(IndexScanDesc scan, uint32_t dim) {
    const ScanKeyData& key = scan->orderByData[0];
    if ((key.sk_flags & SK_ISNULL) != 0) return {};
    const OperatorClass& operator_class = operator_class_of(scan->indexRelation);
    const std::span<const float> query = read_value(operator_class, key.sk_argument);
    if (query.size() != dim) {
        ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION),
                        errmsg("different %s dimensions %u and %zu", operator_class.type_name, dim,
                               query.size())));
    }
    return query;
}

// The current memory context is the scan's. `search` is set last, so that a failed start is none.
void start_search(IndexScanDesc scan) {
    ScanState* state = state_of(scan);
    expect_usable_scan(scan);
    auto* store = new (palloc(sizeof(Store))) Store(scan->indexRelation);
    store->scan_under(scan->xs_snapshot);
    auto* search =
        new (palloc(sizeof(Search<Store>))) Search<Store>(*store, memory_in(CurrentMemoryContext));
    search->load_index();
    const ScanOptions options{setting_probes, static_cast<float>(setting_epsilon)};
    search->start(query_of(scan, search->meta().dim), options);
    count_index_search(scan);
    state->search = search;
}

// A damaged row address would send the executor to a file that does not exist. Other table access
// methods than heap may number rows as they like.
void expect_row_in_table(IndexScanDesc scan, Tid tid) {
    ScanState* state = state_of(scan);
    if (tid.block < state->known_table_blocks) return;
    Relation table = scan->heapRelation;
    if (table == nullptr || table->rd_tableam != GetHeapamTableAmRoutine()) return;
    state->known_table_blocks = RelationGetNumberOfBlocks(table);
    if (tid.block < state->known_table_blocks) return;
    raise_error({ErrorCode::corrupt_page, no_block, "a row address inside the table"},
                RelationGetRelationName(scan->indexRelation));
}

bool next_row(IndexScanDesc scan, ScanDirection direction) {
    if (!ScanDirectionIsForward(direction)) elog(ERROR, "ivf_rabitq scans run forward only");
    ScanState* state = state_of(scan);
    const MemoryContext previous = MemoryContextSwitchTo(state->context);
    if (state->search == nullptr) start_search(scan);
    Tid tid;
    const bool found = state->search->next(&tid);
    MemoryContextSwitchTo(previous);
    if (!found) return false;
    expect_row_in_table(scan, tid);
    scan->xs_heaptid = item_pointer_of(tid);
    scan->xs_recheck = false;
    scan->xs_recheckorderby = false;
    return true;
}

}  // namespace

IndexScanDesc begin_scan(Relation index, int key_count, int order_by_count) {
    return boundary([=] {
        IndexScanDesc scan = RelationGetIndexScan(index, key_count, order_by_count);
        auto* state = static_cast<ScanState*>(palloc0(sizeof(ScanState)));
        state->context =
            AllocSetContextCreate(CurrentMemoryContext, "ivf_rabitq scan", ALLOCSET_DEFAULT_SIZES);
        scan->opaque = state;
        return scan;
    });
}

void rescan(IndexScanDesc scan, ScanKey, int, ScanKey order_bys, int) {
    boundary([=] {
        ScanState* state = state_of(scan);
        state->search = nullptr;
        MemoryContextReset(state->context);
        if (order_bys != nullptr && scan->numberOfOrderBys > 0) {
            std::memmove(scan->orderByData, order_bys,
                         scan->numberOfOrderBys * sizeof(ScanKeyData));
        }
    });
}

bool get_tuple(IndexScanDesc scan, ScanDirection direction) {
    return boundary([=] { return next_row(scan, direction); });
}

void end_scan(IndexScanDesc scan) {
    boundary([=] { MemoryContextDelete(state_of(scan)->context); });
}

}  // namespace pagoda::ivf

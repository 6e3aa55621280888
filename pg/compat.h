// The only file that asks which PostgreSQL it is compiled for. Each function here has one meaning
// on every supported version (15 to 18).
#pragma once

#include "pg/backend.h"

namespace pagoda {

// The physical name of a relation: RelFileNode until 15, RelFileLocator since 16.
inline auto* physical_name_of(SMgrRelation storage) {
#if PG_VERSION_NUM >= 160000
    return &storage->smgr_rlocator.locator;
#else
    return &storage->smgr_rnode.node;
#endif
}

// The physical name of the relation of a block in a WAL record, in parts.
struct PhysicalName {
    Oid tablespace, database;
    uint32_t number;
};

inline PhysicalName logged_name_of(XLogReaderState* record, uint8 block_id) {
#if PG_VERSION_NUM >= 160000
    const RelFileLocator& name = XLogRecGetBlock(record, block_id)->rlocator;
    return {name.spcOid, name.dbOid, name.relNumber};
#else
    const RelFileNode& name = XLogRecGetBlock(record, block_id)->rnode;
    return {name.spcNode, name.dbNode, name.relNode};
#endif
}

// In recovery: ends the queries of a standby that may see rows deleted up to `horizon` in the
// relation of the record's block 0. Servers before 16 do not decode on standbys and need no kind of
// table.
inline void end_queries_before(XLogReaderState* record, TransactionId horizon,
                               [[maybe_unused]] bool is_catalog) {
#if PG_VERSION_NUM >= 160000
    ResolveRecoveryConflictWithSnapshot(horizon, is_catalog, XLogRecGetBlock(record, 0)->rlocator);
#else
    ResolveRecoveryConflictWithSnapshot(horizon, XLogRecGetBlock(record, 0)->rnode);
#endif
}

// Raises "snapshot too old" when the page lost rows that the snapshot could still see, which
// old_snapshot_threshold permits up to version 16.
inline void expect_snapshot_not_too_old([[maybe_unused]] Snapshot snapshot,
                                        [[maybe_unused]] Relation relation,
                                        [[maybe_unused]] Page page) {
#if PG_VERSION_NUM < 170000
    TestForOldSnapshot(snapshot, relation, page);
#endif
}

// Sleeps when the cost-based vacuum delay asks for it; takes interrupts.
inline void delay_vacuum() {
#if PG_VERSION_NUM >= 180000
    vacuum_delay_point(false);
#else
    vacuum_delay_point();
#endif
}

// Makes an index path one that the planner takes only when there is no other.
inline void discourage_path([[maybe_unused]] IndexPath* path, Cost* startup_cost,
                            Cost* total_cost) {
    *startup_cost = get_float8_infinity();
    *total_cost = get_float8_infinity();
#if PG_VERSION_NUM >= 180000
    path->path.disabled_nodes = 2;
#endif
}

// Counts one search of the index for the statistics and for EXPLAIN.
inline void count_index_search(IndexScanDesc scan) {
    pgstat_count_index_scan(scan->indexRelation);
#if PG_VERSION_NUM >= 180000
    if (scan->instrument != nullptr) scan->instrument->nsearches++;
#endif
}

// Capabilities of an access method that only newer servers ask for.
inline void set_newer_capabilities([[maybe_unused]] IndexAmRoutine* routine) {
#if PG_VERSION_NUM >= 160000
    routine->amsummarizing = false;
#endif
#if PG_VERSION_NUM >= 170000
    routine->amcanbuildparallel = false;
#endif
}

}  // namespace pagoda

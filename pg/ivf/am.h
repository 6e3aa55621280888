// The callbacks of access method ivf_rabitq, in the server's signatures. Each lives in the file of
// its name, is a boundary for C++ exceptions and holds no algorithm: those are in core/ivf.
#pragma once

#include "pg/backend.h"

namespace pagoda::ivf {

// am.cpp
bool property(Oid index, int column, IndexAMProperty property, const char* name, bool* value,
              bool* is_null);
// build.cpp
IndexBuildResult* build(Relation heap, Relation index, IndexInfo* info);
void build_empty(Relation index);
char* build_phase_name(int64 phase);
// insert.cpp
bool insert(Relation index, Datum* values, bool* is_null, ItemPointer tid, Relation heap,
            IndexUniqueCheck check_unique, bool index_unchanged, IndexInfo* info);
// vacuum.cpp
IndexBulkDeleteResult* bulk_delete(IndexVacuumInfo* info, IndexBulkDeleteResult* stats,
                                   IndexBulkDeleteCallback callback, void* callback_state);
IndexBulkDeleteResult* vacuum_cleanup(IndexVacuumInfo* info, IndexBulkDeleteResult* stats);
// cost.cpp
void cost_estimate(PlannerInfo* root, IndexPath* path, double loop_count, Cost* startup_cost,
                   Cost* total_cost, Selectivity* selectivity, double* correlation, double* pages);
// options.cpp
bytea* options(Datum values, bool validate);
// validate.cpp
bool validate(Oid operator_class);
// scan.cpp
IndexScanDesc begin_scan(Relation index, int key_count, int order_by_count);
void rescan(IndexScanDesc scan, ScanKey keys, int key_count, ScanKey order_bys, int order_by_count);
bool get_tuple(IndexScanDesc scan, ScanDirection direction);
void end_scan(IndexScanDesc scan);

}  // namespace pagoda::ivf

// ambulkdelete and amvacuumcleanup. The statistics that they return are counted, not estimated.
#include "core/ivf/vacuum.h"

#include "core/ivf/stats.h"
#include "pg/error.h"
#include "pg/ivf/am.h"
#include "pg/memory.h"
#include "pg/page_store.h"
#include "pg/tid.h"

namespace pagoda::ivf {

namespace {

struct DeadRows {
    IndexBulkDeleteCallback callback;
    void* state;
};

bool is_dead(void* context, Tid tid) {
    const auto* dead_rows = static_cast<const DeadRows*>(context);
    ItemPointerData item = item_pointer_of(tid);
    return dead_rows->callback(&item, dead_rows->state);
}

// Runs `body(store, memory)` with memory that is gone afterwards.
template <class Body>
auto with_vacuum_store(const IndexVacuumInfo* info, Body&& body) {
    MemoryContext context =
        AllocSetContextCreate(CurrentMemoryContext, "ivf_rabitq vacuum", ALLOCSET_DEFAULT_SIZES);
    Store store(info->index, info->strategy, PollKind::vacuum);
    const auto result = body(store, memory_in(context));
    MemoryContextDelete(context);
    return result;
}

IndexBulkDeleteResult* new_stats_if_none(IndexBulkDeleteResult* stats) {
    if (stats != nullptr) return stats;
    return static_cast<IndexBulkDeleteResult*>(palloc0(sizeof(IndexBulkDeleteResult)));
}

IndexBulkDeleteResult* delete_rows(const IndexVacuumInfo* info, IndexBulkDeleteResult* stats,
                                   DeadRows dead_rows) {
    stats = new_stats_if_none(stats);
    const VacuumCounts counts = with_vacuum_store(info, [&](Store& store, Memory memory) {
        return pagoda::ivf::bulk_delete(store, memory, DeadTest{is_dead, &dead_rows});
    });
    stats->num_index_tuples = static_cast<double>(counts.live);
    stats->tuples_removed += static_cast<double>(counts.removed);
    stats->estimated_count = false;
    return stats;
}

IndexBulkDeleteResult* clean_up(const IndexVacuumInfo* info, IndexBulkDeleteResult* stats) {
    if (info->analyze_only) return stats;
    if (stats == nullptr) {
        stats = new_stats_if_none(stats);
        stats->num_index_tuples = static_cast<double>(
            with_vacuum_store(info, [](Store& store, Memory) { return count_rows(store); }));
        stats->estimated_count = false;
    }
    stats->num_pages = RelationGetNumberOfBlocks(info->index);
    return stats;
}

}  // namespace

IndexBulkDeleteResult* bulk_delete(IndexVacuumInfo* info, IndexBulkDeleteResult* stats,
                                   IndexBulkDeleteCallback callback, void* callback_state) {
    return boundary([=] { return delete_rows(info, stats, {callback, callback_state}); });
}

IndexBulkDeleteResult* vacuum_cleanup(IndexVacuumInfo* info, IndexBulkDeleteResult* stats) {
    return boundary([=] { return clean_up(info, stats); });
}

}  // namespace pagoda::ivf

// aminsert: one row.
#include "core/ivf/insert.h"

#include "pg/error.h"
#include "pg/ivf/am.h"
#include "pg/ivf/value.h"
#include "pg/memory.h"
#include "pg/page_store.h"
#include "pg/tid.h"

namespace pagoda::ivf {

namespace {

// Kept over the rows of one statement.
struct InsertState {
    explicit InsertState(Relation index)
        : row_context(AllocSetContextCreate(CurrentMemoryContext, "ivf_rabitq insert",
                                            ALLOCSET_DEFAULT_SIZES)),
          store(index),
          inserter(store, memory_in(CurrentMemoryContext)) {}

    MemoryContext row_context;  // emptied after each row
    Store store;
    Inserter<Store> inserter;
};
static_assert(std::is_trivially_destructible_v<InsertState>);

InsertState& state_of(Relation index, IndexInfo* info) {
    if (info->ii_AmCache == nullptr) {
        const MemoryContext previous = MemoryContextSwitchTo(info->ii_Context);
        auto* state = new (palloc(sizeof(InsertState))) InsertState(index);
        state->inserter.open();
        info->ii_AmCache = state;
        MemoryContextSwitchTo(previous);
    }
    return *static_cast<InsertState*>(info->ii_AmCache);
}

// NULLs are not indexed: no ORDER BY operator gives them a place.
void insert_value(Relation index, Datum value, ItemPointer tid, IndexInfo* info) {
    InsertState& state = state_of(index, info);
    const MemoryContext previous = MemoryContextSwitchTo(state.row_context);
    const std::span<const float> x = read_value(operator_class_of(index), value);
    expect_row_dimensions(x, state.inserter.meta().dim);
    state.inserter.insert(x, tid_of(*tid));
    MemoryContextSwitchTo(previous);
    MemoryContextReset(state.row_context);
}

}  // namespace

bool insert(Relation index, Datum* values, bool* is_null, ItemPointer tid, Relation,
            IndexUniqueCheck, bool, IndexInfo* info) {
    return boundary([=] {
        if (!is_null[0]) insert_value(index, values[0], tid, info);
        return false;  // says nothing about uniqueness
    });
}

}  // namespace pagoda::ivf

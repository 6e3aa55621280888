// ambuild and ambuildempty. The table is read twice: once for the sample that lists are trained on,
// once for the rows themselves. Rows are encoded as they come and sorted by list outside of the
// index; the index is then written in one sweep, each page once.
#include "core/ivf/build.h"

#include "core/ivf/learn.h"

#include "pg/bulk_store.h"
#include "pg/error.h"
#include "pg/interrupts.h"
#include "pg/ivf/am.h"
#include "pg/ivf/options.h"
#include "pg/ivf/spool.h"
#include "pg/ivf/value.h"
#include "pg/memory.h"
#include "pg/page_store.h"
#include "pg/tid.h"

namespace pagoda::ivf {

namespace {

// Sub-phases of pg_stat_progress_create_index; the first number is core's.
enum class Phase : int64 {
    initializing = PROGRESS_CREATEIDX_SUBPHASE_INITIALIZE,
    sampling,
    training,
    loading,
    sorting,
    writing,
    learning,
};

void start_phase(Phase phase) {
    pgstat_progress_update_param(PROGRESS_CREATEIDX_SUBPHASE, static_cast<int64>(phase));
}

// What the callbacks of both table scans share.
struct BuildState {
    Builder* builder;
    Spool* spool;
    const OperatorClass* operator_class;
    MemoryContext row_context;  // emptied after each row
    uint32_t dim;
    int64 rows_sampled, rows_loaded;
};

static_assert(std::is_trivially_destructible_v<Builder>);

void poll_build(void*) {
    poll_interrupts();
}

// Runs `body(value, tid)` on a non-NULL row, in the row context.
template <class Body>
void with_row(BuildState* state, ItemPointer tid, const Datum* values, const bool* is_null,
              Body&& body) {
    if (is_null[0]) return;
    const MemoryContext previous = MemoryContextSwitchTo(state->row_context);
    const std::span<const float> x = read_value(*state->operator_class, values[0]);
    expect_row_dimensions(x, state->dim);
    body(x, tid_of(*tid));
    MemoryContextSwitchTo(previous);
    MemoryContextReset(state->row_context);
}

void sample_callback(Relation, ItemPointer tid, Datum* values, bool* is_null, bool, void* context) {
    boundary([=] {
        auto* state = static_cast<BuildState*>(context);
        with_row(state, tid, values, is_null, [state](std::span<const float> x, Tid row) {
            state->builder->sample_row(x, row);
            state->rows_sampled++;
        });
    });
}

void spool_record(void* context, uint32_t list, std::span<const std::byte> record) {
    static_cast<Spool*>(context)->add(list, record);
}

void load_callback(Relation, ItemPointer tid, Datum* values, bool* is_null, bool, void* context) {
    boundary([=] {
        auto* state = static_cast<BuildState*>(context);
        with_row(state, tid, values, is_null, [state](std::span<const float> x, Tid row) {
            state->builder->add_row(x, row, {spool_record, state->spool});
            pgstat_progress_update_param(PROGRESS_CREATEIDX_TUPLES_DONE, ++state->rows_loaded);
        });
    });
}

BuildOptions build_options(Relation index, double rows_estimate) {
    const IndexOptions options = options_of(index);
    BuildOptions result = {};
    result.dim = column_dimensions(index);
    result.metric = operator_class_of(index).metric;
    result.refine_bits = static_cast<uint8_t>(options.refine_bits);
    result.lists = options.lists;
    result.rows_estimate = static_cast<uint64_t>(rows_estimate);
    result.sample_bytes = uint64_t{1024} * static_cast<uint64_t>(maintenance_work_mem) / 2;
    if (!pg_strong_random(&result.index_id, sizeof(result.index_id))) {
        ereport(ERROR, (errcode(ERRCODE_INTERNAL_ERROR),
                        errmsg("could not generate a random index number")));
    }
    return result;
}

double estimated_rows(Relation heap) {
    BlockNumber pages;
    double rows, all_visible_share;
    estimate_rel_size(heap, nullptr, &pages, &rows, &all_visible_share);
    return rows;
}

// Moves the sorted records into the index.
void write_index(Relation index, BuildState& state) {
    start_phase(Phase::sorting);
    state.spool->sort();
    start_phase(Phase::writing);
    IndexWriter writer(index, MAIN_FORKNUM);
    state.builder->start_writing(writer);
    uint32_t list;
    std::span<const std::byte> record;
    while (state.spool->next(&list, &record)) {
        poll_interrupts();
        state.builder->write_record(list, record, writer);
    }
    state.builder->finish_writing(writer);
    writer.finish();
}

// The current memory context is the build's. Returns the rows of the table.
double build_index(Relation heap, Relation index, IndexInfo* info, BuildState& state) {
    start_phase(Phase::sampling);
    table_index_build_scan(heap, index, info, true, true, sample_callback, &state, nullptr);
    start_phase(Phase::training);
    state.builder->train();
    start_phase(Phase::loading);
    pgstat_progress_update_param(PROGRESS_CREATEIDX_TUPLES_TOTAL, state.rows_sampled);
    const double heap_rows =
        table_index_build_scan(heap, index, info, true, true, load_callback, &state, nullptr);
    state.builder->flush({spool_record, state.spool});
    write_index(index, state);
    start_phase(Phase::learning);
    Store store(index);
    learn(store, *state.builder);
    return heap_rows;
}

IndexBuildResult* build_in_context(Relation heap, Relation index, IndexInfo* info) {
    if (RelationGetNumberOfBlocks(index) != 0) {
        elog(ERROR, "index \"%s\" already contains data", RelationGetRelationName(index));
    }
    auto* result = static_cast<IndexBuildResult*>(palloc0(sizeof(IndexBuildResult)));
    MemoryContext context =
        AllocSetContextCreate(CurrentMemoryContext, "ivf_rabitq build", ALLOCSET_DEFAULT_SIZES);
    const MemoryContext previous = MemoryContextSwitchTo(context);
    const BuildOptions options = build_options(index, estimated_rows(heap));
    Builder builder(options, memory_in(context), {poll_build, nullptr});
    Spool spool(builder.record_bytes());
    BuildState state = {};
    state.builder = &builder;
    state.spool = &spool;
    state.operator_class = &operator_class_of(index);
    state.row_context =
        AllocSetContextCreate(context, "ivf_rabitq build row", ALLOCSET_DEFAULT_SIZES);
    state.dim = options.dim;
    result->heap_tuples = build_index(heap, index, info, state);
    result->index_tuples = static_cast<double>(state.rows_loaded);
    spool.end();
    MemoryContextSwitchTo(previous);
    MemoryContextDelete(context);
    return result;
}

void build_empty_in_context(Relation index) {
    IndexWriter writer(index, INIT_FORKNUM);
    write_empty_index(writer, build_options(index, 0), memory_in(CurrentMemoryContext));
    writer.finish();
}

}  // namespace

IndexBuildResult* build(Relation heap, Relation index, IndexInfo* info) {
    return boundary([=] { return build_in_context(heap, index, info); });
}

void build_empty(Relation index) {
    boundary([=] { build_empty_in_context(index); });
}

char* build_phase_name(int64 phase) {
    static constexpr const char* names[] = {
        "initializing",   "sampling",      "training lists",    "loading tuples",
        "sorting tuples", "writing index", "learning settings",
    };
    const int64 first = PROGRESS_CREATEIDX_SUBPHASE_INITIALIZE;
    if (phase < first || phase >= first + static_cast<int64>(lengthof(names))) return nullptr;
    return const_cast<char*>(names[phase - first]);
}

}  // namespace pagoda::ivf

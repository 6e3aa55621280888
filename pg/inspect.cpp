// pagoda_index_info: figures about one index. A row per index; every byte and row is counted from
// the index itself, nothing is estimated.
#include "core/ivf/stats.h"
#include "pg/error.h"
#include "pg/ivf/am.h"
#include "pg/page_store.h"

namespace pagoda {

namespace {

constexpr int info_columns = 16;

const char* metric_name(ivf::Metric metric) {
    switch (metric) {
        case ivf::Metric::l2:
            return "l2";
        case ivf::Metric::inner_product:
            return "ip";
        case ivf::Metric::cosine:
            return "cosine";
    }
    return "unknown";
}

// The privilege is checked before the lock is taken: whoever may not read the table must not be
// able to hold anything of it.
void expect_select_privilege(Oid index_oid) {
    const Oid table_oid = IndexGetRelation(index_oid, true);
    if (!OidIsValid(table_oid)) return;  // not an index, which the caller will find
    const AclResult result = pg_class_aclcheck(table_oid, GetUserId(), ACL_SELECT);
    if (result != ACLCHECK_OK) {
        aclcheck_error(result, OBJECT_TABLE, get_rel_name(table_oid));
    }
}

void expect_readable_ivf_index(Relation relation) {
    const char* name = RelationGetRelationName(relation);
    if (relation->rd_rel->relkind != RELKIND_INDEX || relation->rd_indam->ambuild != ivf::build) {
        ereport(ERROR, (errcode(ERRCODE_WRONG_OBJECT_TYPE),
                        errmsg("\"%s\" is not an ivf_rabitq index", name),
                        relation->rd_rel->relkind == RELKIND_PARTITIONED_INDEX
                            ? errhint("Ask about the indexes of its partitions.")
                            : 0));
    }
    if (RELATION_IS_OTHER_TEMP(relation)) {
        ereport(ERROR, (errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
                        errmsg("cannot access temporary indexes of other sessions")));
    }
    if (!relation->rd_index->indisready) {
        ereport(ERROR, (errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
                        errmsg("index \"%s\" is not ready", name),
                        errhint("Its concurrent build is running or has failed.")));
    }
}

// In the order of the function's columns in the extension script.
void fill_info(const ivf::IndexStatistics& statistics, Datum values[info_columns]) {
    const ivf::MetaPage& meta = statistics.meta;
    int i = 0;
    values[i++] = CStringGetTextDatum(metric_name(meta.metric));
    values[i++] = Int32GetDatum(static_cast<int32>(meta.dim));
    values[i++] = Int32GetDatum(meta.refine_bits);
    values[i++] = Int32GetDatum(static_cast<int32>(statistics.lists));
    values[i++] = Int64GetDatum(static_cast<int64>(statistics.rows));
    values[i++] = Int64GetDatum(static_cast<int64>(statistics.outliers));
    values[i++] = Int64GetDatum(static_cast<int64>(statistics.empty_lanes));
    values[i++] = Int64GetDatum(static_cast<int64>(statistics.rows_largest_list));
    values[i++] = Float8GetDatum(statistics.imbalance);
    values[i++] = Int64GetDatum(statistics.pages);
    values[i++] = Int64GetDatum(int64{statistics.pages} * BLCKSZ);
    values[i++] = Int64GetDatum(static_cast<int64>(statistics.centroid_bytes));
    values[i++] = Int64GetDatum(static_cast<int64>(statistics.level0_bytes));
    values[i++] = Int64GetDatum(static_cast<int64>(statistics.level1_bytes));
    values[i++] = Int32GetDatum(static_cast<int32>(meta.learnt_probes));
    values[i++] = Float8GetDatum(meta.learnt_epsilon);
    Assert(i == info_columns);
}

Datum index_info(FunctionCallInfo fcinfo) {
    TupleDesc columns;
    if (get_call_result_type(fcinfo, nullptr, &columns) != TYPEFUNC_COMPOSITE ||
        columns->natts != info_columns) {
        elog(ERROR, "pagoda_index_info must return %d columns", info_columns);
    }
    const Oid index_oid = PG_GETARG_OID(0);
    expect_select_privilege(index_oid);
    Relation index = try_relation_open(index_oid, AccessShareLock);
    if (index == nullptr) {
        ereport(ERROR, (errcode(ERRCODE_UNDEFINED_TABLE),
                        errmsg("index with OID %u does not exist", index_oid)));
    }
    expect_readable_ivf_index(index);
    Store store(index);
    const ivf::IndexStatistics statistics = ivf::index_statistics(store);
    relation_close(index, AccessShareLock);

    Datum values[info_columns];
    bool nulls[info_columns] = {};
    fill_info(statistics, values);
    if (statistics.meta.learnt_probes == 0) nulls[info_columns - 2] = true;
    HeapTuple row = heap_form_tuple(BlessTupleDesc(columns), values, nulls);
    return HeapTupleGetDatum(row);
}

}  // namespace

}  // namespace pagoda

PAGODA_SQL_FUNCTION(pagoda_index_info) {
    return pagoda::index_info(fcinfo);
}

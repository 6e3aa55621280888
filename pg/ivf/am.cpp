// The handler of access method ivf_rabitq: what it can do and where its callbacks are. It serves
// ORDER BY column <operator> value on one column and nothing else.
#include "pg/ivf/am.h"

#include "pg/compat.h"
#include "pg/error.h"
#include "pg/ivf/opclass.h"

using namespace pagoda;

// Core cannot tell whether a column has ordering operators; every column of ours has.
bool ivf::property(Oid, int column, IndexAMProperty property, const char*, bool* value, bool*) {
    if (property != AMPROP_DISTANCE_ORDERABLE || column == 0) return false;
    *value = true;
    return true;
}

static void set_capabilities(IndexAmRoutine* routine) {
    routine->amstrategies = ivf::distance_strategy;
    routine->amsupport = ivf::description_function;
    routine->amcanorderbyop = true;
    // A scan reads the whole index when nothing restricts it, and rows it never indexed are NULL.
    routine->amoptionalkey = true;
    routine->amparallelvacuumoptions = VACUUM_OPTION_PARALLEL_BULKDEL;
    routine->amkeytype = InvalidOid;
    set_newer_capabilities(routine);
}

static void set_callbacks(IndexAmRoutine* routine) {
    routine->ambuild = ivf::build;
    routine->ambuildempty = ivf::build_empty;
    routine->aminsert = ivf::insert;
    routine->ambulkdelete = ivf::bulk_delete;
    routine->amvacuumcleanup = ivf::vacuum_cleanup;
    routine->amcostestimate = ivf::cost_estimate;
    routine->amoptions = ivf::options;
    routine->amproperty = ivf::property;
    routine->ambuildphasename = ivf::build_phase_name;
    routine->amvalidate = ivf::validate;
    routine->ambeginscan = ivf::begin_scan;
    routine->amrescan = ivf::rescan;
    routine->amgettuple = ivf::get_tuple;
    routine->amendscan = ivf::end_scan;
}

// All other fields stay zero: not supported.
PAGODA_SQL_FUNCTION(pagoda_ivf_handler) {
    IndexAmRoutine* routine = makeNode(IndexAmRoutine);
    set_capabilities(routine);
    set_callbacks(routine);
    PG_RETURN_POINTER(routine);
}

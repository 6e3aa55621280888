// amvalidate: whether an operator class and its family are usable by ivf_rabitq. Problems are
// reported as INFO, as the server's own access methods do.
#include "pg/error.h"
#include "pg/ivf/am.h"
#include "pg/ivf/opclass.h"

namespace pagoda::ivf {

namespace {

// The names and catalog rows of the class under test; the cache entries are released at the end.
struct Subject {
    Oid family;
    Oid input_type;
    const char* class_name;
    const char* family_name;
};

template <class... Arguments>
void report(const Subject& subject, const char* format, Arguments... arguments) {
    ereport(INFO, (errcode(ERRCODE_INVALID_OBJECT_DEFINITION),
                   errmsg("operator family \"%s\" of access method ivf_rabitq %s",
                          subject.family_name, psprintf(format, arguments...))));
}

bool is_valid_operator(const Subject& subject, Form_pg_amop entry) {
    bool valid = true;
    if (entry->amopstrategy != distance_strategy) {
        report(subject, "contains operator %s with invalid strategy number %d",
               format_operator(entry->amopopr), entry->amopstrategy);
        valid = false;
    }
    if (entry->amoppurpose != AMOP_ORDER) {
        report(subject, "contains operator %s, which is not an ORDER BY operator",
               format_operator(entry->amopopr));
        return false;
    }
    if (!check_amop_signature(entry->amopopr, FLOAT8OID, entry->amoplefttype,
                              entry->amoprighttype)) {
        report(subject, "contains operator %s with wrong signature",
               format_operator(entry->amopopr));
        valid = false;
    }
    if (!opfamily_can_sort_type(entry->amopsortfamily, FLOAT8OID)) {
        report(subject, "contains operator %s with an incompatible sort family",
               format_operator(entry->amopopr));
        valid = false;
    }
    return valid;
}

bool is_valid_function(const Subject& subject, Form_pg_amproc entry) {
    bool valid = true;
    if (entry->amprocnum != description_function) {
        report(subject, "contains function %s with invalid support number %d",
               format_procedure(entry->amproc), entry->amprocnum);
        valid = false;
    } else if (!check_amproc_signature(entry->amproc, INTERNALOID, true, 1, 1, INTERNALOID)) {
        report(subject, "contains function %s with wrong signature for support number %d",
               format_procedure(entry->amproc), entry->amprocnum);
        valid = false;
    }
    if (entry->amproclefttype != entry->amprocrighttype) {
        report(subject, "contains function %s with different left and right input types",
               format_procedure(entry->amproc));
        valid = false;
    }
    return valid;
}

// Every operator is sound, and one of them is the class's own.
bool validate_operators(const Subject& subject) {
    CatCList* operators = SearchSysCacheList1(AMOPSTRATEGY, ObjectIdGetDatum(subject.family));
    bool valid = true;
    bool has_own = false;
    for (int i = 0; i < operators->n_members; i++) {
        const auto entry = reinterpret_cast<Form_pg_amop>(GETSTRUCT(&operators->members[i]->tuple));
        valid = is_valid_operator(subject, entry) && valid;
        has_own = has_own || (entry->amoplefttype == subject.input_type &&
                              entry->amoprighttype == subject.input_type);
    }
    ReleaseCatCacheList(operators);
    if (!has_own) {
        report(subject, "is missing the operator of class \"%s\"", subject.class_name);
    }
    return valid && has_own;
}

bool validate_functions(const Subject& subject) {
    CatCList* functions = SearchSysCacheList1(AMPROCNUM, ObjectIdGetDatum(subject.family));
    bool valid = true;
    bool has_own = false;
    for (int i = 0; i < functions->n_members; i++) {
        const auto entry =
            reinterpret_cast<Form_pg_amproc>(GETSTRUCT(&functions->members[i]->tuple));
        valid = is_valid_function(subject, entry) && valid;
        has_own = has_own || (entry->amproclefttype == subject.input_type &&
                              entry->amprocrighttype == subject.input_type);
    }
    ReleaseCatCacheList(functions);
    if (!has_own) {
        report(subject, "is missing support function %d of class \"%s\"", description_function,
               subject.class_name);
    }
    return valid && has_own;
}

const char* family_name_of(Oid family) {
    HeapTuple tuple = SearchSysCache1(OPFAMILYOID, ObjectIdGetDatum(family));
    if (!HeapTupleIsValid(tuple)) {
        elog(ERROR, "cache lookup failed for operator family %u", family);
    }
    const auto row = reinterpret_cast<Form_pg_opfamily>(GETSTRUCT(tuple));
    const char* name = pstrdup(NameStr(row->opfname));
    ReleaseSysCache(tuple);
    return name;
}

bool validate_class(Oid operator_class) {
    HeapTuple tuple = SearchSysCache1(CLAOID, ObjectIdGetDatum(operator_class));
    if (!HeapTupleIsValid(tuple)) {
        elog(ERROR, "cache lookup failed for operator class %u", operator_class);
    }
    const auto row = reinterpret_cast<Form_pg_opclass>(GETSTRUCT(tuple));
    const Subject subject{row->opcfamily, row->opcintype, pstrdup(NameStr(row->opcname)),
                          family_name_of(row->opcfamily)};
    ReleaseSysCache(tuple);
    const bool operators_valid = validate_operators(subject);
    return validate_functions(subject) && operators_valid;
}

}  // namespace

bool validate(Oid operator_class) {
    return boundary([=] { return validate_class(operator_class); });
}

}  // namespace pagoda::ivf

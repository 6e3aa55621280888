// Parsing and checking of storage parameters.
#include "pg/ivf/options.h"

#include "pg/error.h"
#include "pg/ivf/am.h"

namespace pagoda::ivf {

namespace {

constexpr int lists_max = 1000000;

// What the server keeps in rd_options: a varlena.
struct StoredOptions {
    int32 length;
    int lists;
    int refine_bits;
};

relopt_kind option_kind;

void check_values(const StoredOptions& options) {
    if (options.lists == 0) {
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                        errmsg("invalid value for option \"lists\": 0"),
                        errdetail("Use -1 for automatic or a number from 1 to %d.", lists_max)));
    }
    if (options.refine_bits != 0 && options.refine_bits != 4 && options.refine_bits != 8) {
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                        errmsg("invalid value for option \"refine_bits\": %d", options.refine_bits),
                        errdetail("Valid values are 0, 4 and 8.")));
    }
}

bytea* parse_options(Datum values, bool validate) {
    static const relopt_parse_elt elements[] = {
        {"lists", RELOPT_TYPE_INT, offsetof(StoredOptions, lists)},
        {"refine_bits", RELOPT_TYPE_INT, offsetof(StoredOptions, refine_bits)},
    };
    auto* options = static_cast<StoredOptions*>(build_reloptions(
        values, validate, option_kind, sizeof(StoredOptions), elements, lengthof(elements)));
    if (validate && options != nullptr) check_values(*options);
    return reinterpret_cast<bytea*>(options);
}

}  // namespace

void define_options() {
    option_kind = add_reloption_kind();
    add_int_reloption(option_kind, "lists", "Number of lists, or -1 to choose it by row count",
                      lists_automatic, lists_automatic, lists_max, AccessExclusiveLock);
    add_int_reloption(option_kind, "refine_bits", "Bits a dimension of the refinement codes",
                      refine_bits_default, 0, 8, AccessExclusiveLock);
}

IndexOptions options_of(Relation index) {
    const auto* options = reinterpret_cast<const StoredOptions*>(index->rd_options);
    if (options == nullptr) return {lists_automatic, refine_bits_default};
    return {options->lists, options->refine_bits};
}

bytea* options(Datum values, bool validate) {
    return boundary([=] { return parse_options(values, validate); });
}

}  // namespace pagoda::ivf

// The operator classes' support functions and their lookup.
#include "pg/ivf/opclass.h"

#include "pg/error.h"

namespace pagoda::ivf {

const OperatorClass& operator_class_of(Relation index) {
    FmgrInfo* function = index_getprocinfo(index, 1, description_function);
    const Datum description = FunctionCall1(function, PointerGetDatum(nullptr));
    return *reinterpret_cast<const OperatorClass*>(DatumGetPointer(description));
}

// A domain keeps its dimensions in the domain, not in the column.
uint32_t column_dimensions(Relation index) {
    const Form_pg_attribute column = TupleDescAttr(RelationGetDescr(index), 0);
    int32 dimensions = column->atttypmod;
    getBaseTypeAndTypmod(column->atttypid, &dimensions);
    if (dimensions < 1) {
        ereport(ERROR, (errcode(ERRCODE_INVALID_PARAMETER_VALUE),
                        errmsg("column does not have dimensions"),
                        errhint("Give the column's type its dimensions, or index an expression "
                                "that casts to a type with dimensions.")));
    }
    return static_cast<uint32_t>(dimensions);
}

static Datum describe(const OperatorClass& description) {
    return PointerGetDatum(&description);
}

static constexpr OperatorClass vector_l2{Metric::l2, Element::f32, "vector"};
static constexpr OperatorClass vector_ip{Metric::inner_product, Element::f32, "vector"};
static constexpr OperatorClass vector_cosine{Metric::cosine, Element::f32, "vector"};
static constexpr OperatorClass halfvec_l2{Metric::l2, Element::f16, "halfvec"};
static constexpr OperatorClass halfvec_ip{Metric::inner_product, Element::f16, "halfvec"};
static constexpr OperatorClass halfvec_cosine{Metric::cosine, Element::f16, "halfvec"};

}  // namespace pagoda::ivf

using namespace pagoda::ivf;

PAGODA_SQL_FUNCTION(pagoda_ivf_vector_l2) {
    return describe(vector_l2);
}
PAGODA_SQL_FUNCTION(pagoda_ivf_vector_ip) {
    return describe(vector_ip);
}
PAGODA_SQL_FUNCTION(pagoda_ivf_vector_cosine) {
    return describe(vector_cosine);
}
PAGODA_SQL_FUNCTION(pagoda_ivf_halfvec_l2) {
    return describe(halfvec_l2);
}
PAGODA_SQL_FUNCTION(pagoda_ivf_halfvec_ip) {
    return describe(halfvec_ip);
}
PAGODA_SQL_FUNCTION(pagoda_ivf_halfvec_cosine) {
    return describe(halfvec_cosine);
}

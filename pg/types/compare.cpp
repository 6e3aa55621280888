// The order of both types: by the first elements that differ, then by the number of dimensions.
// btree sorts call these in a memory context that lives as long as the sort, so detoasted copies
// are freed.
#include "core/vector/arithmetic.h"
#include "pg/types/dense.h"

namespace pagoda {
namespace {

template <Element E>
int compare_args(FunctionCallInfo fcinfo) {
    const Dense<E>* a = dense_arg<E>(fcinfo, 0);
    const Dense<E>* b = dense_arg<E>(fcinfo, 1);
    const int order = compare(a->elements(), b->elements());
    PG_FREE_IF_COPY(const_cast<Dense<E>*>(a), 0);
    PG_FREE_IF_COPY(const_cast<Dense<E>*>(b), 1);
    return order;
}

}  // namespace

PAGODA_SQL_FUNCTION(vector_lt) {
    PG_RETURN_BOOL(compare_args<float>(fcinfo) < 0);
}
PAGODA_SQL_FUNCTION(vector_le) {
    PG_RETURN_BOOL(compare_args<float>(fcinfo) <= 0);
}
PAGODA_SQL_FUNCTION(vector_eq) {
    PG_RETURN_BOOL(compare_args<float>(fcinfo) == 0);
}
PAGODA_SQL_FUNCTION(vector_ne) {
    PG_RETURN_BOOL(compare_args<float>(fcinfo) != 0);
}
PAGODA_SQL_FUNCTION(vector_ge) {
    PG_RETURN_BOOL(compare_args<float>(fcinfo) >= 0);
}
PAGODA_SQL_FUNCTION(vector_gt) {
    PG_RETURN_BOOL(compare_args<float>(fcinfo) > 0);
}
PAGODA_SQL_FUNCTION(vector_cmp) {
    PG_RETURN_INT32(compare_args<float>(fcinfo));
}

PAGODA_SQL_FUNCTION(halfvec_lt) {
    PG_RETURN_BOOL(compare_args<Half>(fcinfo) < 0);
}
PAGODA_SQL_FUNCTION(halfvec_le) {
    PG_RETURN_BOOL(compare_args<Half>(fcinfo) <= 0);
}
PAGODA_SQL_FUNCTION(halfvec_eq) {
    PG_RETURN_BOOL(compare_args<Half>(fcinfo) == 0);
}
PAGODA_SQL_FUNCTION(halfvec_ne) {
    PG_RETURN_BOOL(compare_args<Half>(fcinfo) != 0);
}
PAGODA_SQL_FUNCTION(halfvec_ge) {
    PG_RETURN_BOOL(compare_args<Half>(fcinfo) >= 0);
}
PAGODA_SQL_FUNCTION(halfvec_gt) {
    PG_RETURN_BOOL(compare_args<Half>(fcinfo) > 0);
}
PAGODA_SQL_FUNCTION(halfvec_cmp) {
    PG_RETURN_INT32(compare_args<Half>(fcinfo));
}

}  // namespace pagoda

// Distance functions behind the operators <-> <#> <=> <+>, the functions that index access methods
// call, and norms. All return float8.
#include "core/vector/distance.h"

#include "pg/types/dense.h"

namespace pagoda {
namespace {

// Calls `distance` with the elements of two values of the same dimension.
template <Element E, class Distance>
double measure(FunctionCallInfo fcinfo, Distance distance) {
    const Dense<E>* a = dense_arg<E>(fcinfo, 0);
    const Dense<E>* b = dense_arg<E>(fcinfo, 1);
    check_same(a, b);
    return distance(a->elements(), b->elements());
}

}  // namespace

PAGODA_SQL_FUNCTION(l2_distance) {
    PG_RETURN_FLOAT8(std::sqrt(measure<float>(fcinfo, l2_squared<float>)));
}
PAGODA_SQL_FUNCTION(vector_l2_squared_distance) {
    PG_RETURN_FLOAT8(measure<float>(fcinfo, l2_squared<float>));
}
PAGODA_SQL_FUNCTION(inner_product) {
    PG_RETURN_FLOAT8(measure<float>(fcinfo, dot<float>));
}
PAGODA_SQL_FUNCTION(vector_negative_inner_product) {
    PG_RETURN_FLOAT8(-measure<float>(fcinfo, dot<float>));
}
PAGODA_SQL_FUNCTION(cosine_distance) {
    PG_RETURN_FLOAT8(measure<float>(fcinfo, cosine<float>));
}
PAGODA_SQL_FUNCTION(vector_spherical_distance) {
    PG_RETURN_FLOAT8(measure<float>(fcinfo, spherical<float>));
}
PAGODA_SQL_FUNCTION(l1_distance) {
    PG_RETURN_FLOAT8(measure<float>(fcinfo, l1<float>));
}
PAGODA_SQL_FUNCTION(vector_norm) {
    PG_RETURN_FLOAT8(norm(dense_arg<float>(fcinfo, 0)->elements()));
}

PAGODA_SQL_FUNCTION(halfvec_l2_distance) {
    PG_RETURN_FLOAT8(std::sqrt(measure<Half>(fcinfo, l2_squared<Half>)));
}
PAGODA_SQL_FUNCTION(halfvec_l2_squared_distance) {
    PG_RETURN_FLOAT8(measure<Half>(fcinfo, l2_squared<Half>));
}
PAGODA_SQL_FUNCTION(halfvec_inner_product) {
    PG_RETURN_FLOAT8(measure<Half>(fcinfo, dot<Half>));
}
PAGODA_SQL_FUNCTION(halfvec_negative_inner_product) {
    PG_RETURN_FLOAT8(-measure<Half>(fcinfo, dot<Half>));
}
PAGODA_SQL_FUNCTION(halfvec_cosine_distance) {
    PG_RETURN_FLOAT8(measure<Half>(fcinfo, cosine<Half>));
}
PAGODA_SQL_FUNCTION(halfvec_spherical_distance) {
    PG_RETURN_FLOAT8(measure<Half>(fcinfo, spherical<Half>));
}
PAGODA_SQL_FUNCTION(halfvec_l1_distance) {
    PG_RETURN_FLOAT8(measure<Half>(fcinfo, l1<Half>));
}
PAGODA_SQL_FUNCTION(halfvec_l2_norm) {
    PG_RETURN_FLOAT8(norm(dense_arg<Half>(fcinfo, 0)->elements()));
}

}  // namespace pagoda

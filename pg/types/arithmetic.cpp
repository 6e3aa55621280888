// Functions that make vectors from vectors: + - *, concatenation, subvector, normalisation, sign
// quantization; and the number of dimensions.
#include "core/vector/arithmetic.h"

#include "core/base/bits.h"
#include "pg/types/dense.h"

namespace pagoda {
namespace {

template <Element E>
using Operation = RangeFault (*)(std::span<const E>, std::span<const E>, std::span<E>);

template <Element E>
Datum combine_elements(FunctionCallInfo fcinfo, Operation<E> operation) {
    const Dense<E>* a = dense_arg<E>(fcinfo, 0);
    const Dense<E>* b = dense_arg<E>(fcinfo, 1);
    check_same(a, b);
    Dense<E>* result = allocate_dense<E>(a->elements().size());
    switch (operation(a->elements(), b->elements(), result->elements())) {
        case RangeFault::none:
            break;
        case RangeFault::overflow:
            float_overflow_error();
        case RangeFault::underflow:
            float_underflow_error();
    }
    PG_RETURN_POINTER(result);
}

template <Element E>
Datum concatenate(FunctionCallInfo fcinfo) {
    const auto a = dense_arg<E>(fcinfo, 0)->elements();
    const auto b = dense_arg<E>(fcinfo, 1)->elements();
    check_dimensions<E>(static_cast<int64>(a.size() + b.size()));
    Dense<E>* result = allocate_dense<E>(a.size() + b.size());
    const auto middle = std::copy(a.begin(), a.end(), result->elements().begin());
    std::copy(b.begin(), b.end(), middle);
    PG_RETURN_POINTER(result);
}

// The part of the value that lies in positions start .. start + count - 1, the first position being
// 1; the range may stick out at both ends, as that of substring does.
template <Element E>
Datum take_part(FunctionCallInfo fcinfo) {
    const auto source = dense_arg<E>(fcinfo, 0)->elements();
    const int64 start = PG_GETARG_INT32(1);
    const int64 count = PG_GETARG_INT32(2);
    const int64 first = std::max<int64>(start, 1);
    const int64 end = std::min<int64>(start + count, static_cast<int64>(source.size()) + 1);
    check_dimensions<E>(end - first);
    const auto part =
        source.subspan(static_cast<size_t>(first - 1), static_cast<size_t>(end - first));
    Dense<E>* result = allocate_dense<E>(part.size());
    std::copy(part.begin(), part.end(), result->elements().begin());
    PG_RETURN_POINTER(result);
}

template <Element E>
Datum normalize_value(FunctionCallInfo fcinfo) {
    const auto source = dense_arg<E>(fcinfo, 0)->elements();
    Dense<E>* result = allocate_dense<E>(source.size());
    normalize(source, result->elements());
    PG_RETURN_POINTER(result);
}

template <Element E>
Datum quantize_value(FunctionCallInfo fcinfo) {
    const auto source = dense_arg<E>(fcinfo, 0)->elements();
    const size_t bytes = VARBITTOTALLEN(source.size());
    auto* result = static_cast<VarBit*>(palloc(bytes));
    SET_VARSIZE(result, bytes);
    VARBITLEN(result) = static_cast<int32>(source.size());
    quantize_signs(source, {VARBITS(result), divide_up(source.size(), 8)});
    PG_RETURN_VARBIT_P(result);
}

}  // namespace

PAGODA_SQL_FUNCTION(vector_add) {
    return combine_elements<float>(fcinfo, add<float>);
}
PAGODA_SQL_FUNCTION(vector_sub) {
    return combine_elements<float>(fcinfo, subtract<float>);
}
PAGODA_SQL_FUNCTION(vector_mul) {
    return combine_elements<float>(fcinfo, multiply<float>);
}
PAGODA_SQL_FUNCTION(vector_concat) {
    return concatenate<float>(fcinfo);
}
PAGODA_SQL_FUNCTION(subvector) {
    return take_part<float>(fcinfo);
}
PAGODA_SQL_FUNCTION(l2_normalize) {
    return normalize_value<float>(fcinfo);
}
PAGODA_SQL_FUNCTION(binary_quantize) {
    return quantize_value<float>(fcinfo);
}
PAGODA_SQL_FUNCTION(vector_dims) {
    PG_RETURN_INT32(dense_arg<float>(fcinfo, 0)->dimensions);
}

PAGODA_SQL_FUNCTION(halfvec_add) {
    return combine_elements<Half>(fcinfo, add<Half>);
}
PAGODA_SQL_FUNCTION(halfvec_sub) {
    return combine_elements<Half>(fcinfo, subtract<Half>);
}
PAGODA_SQL_FUNCTION(halfvec_mul) {
    return combine_elements<Half>(fcinfo, multiply<Half>);
}
PAGODA_SQL_FUNCTION(halfvec_concat) {
    return concatenate<Half>(fcinfo);
}
PAGODA_SQL_FUNCTION(halfvec_subvector) {
    return take_part<Half>(fcinfo);
}
PAGODA_SQL_FUNCTION(halfvec_l2_normalize) {
    return normalize_value<Half>(fcinfo);
}
PAGODA_SQL_FUNCTION(halfvec_binary_quantize) {
    return quantize_value<Half>(fcinfo);
}
PAGODA_SQL_FUNCTION(halfvec_vector_dims) {
    PG_RETURN_INT32(dense_arg<Half>(fcinfo, 0)->dimensions);
}

}  // namespace pagoda

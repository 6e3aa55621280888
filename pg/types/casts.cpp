// Casts: arrays of int4, float4, float8 and numeric to both types, both types to float4[], and
// between the types. A cast function gets (value, type modifier of the target, is explicit).
#include "core/vector/arithmetic.h"
#include "pg/types/dense.h"
#include "pg/types/float_array.h"

namespace pagoda {
namespace {

// The elements of a fixed-width array without nulls lie one after the other.
template <class Source, Element E>
void convert_array(const ArrayType* array, std::span<E> target) {
    const auto* source = reinterpret_cast<const Source*>(ARR_DATA_PTR(array));
    for (size_t i = 0; i < target.size(); ++i) {
        target[i] = element_or_raise<E>(static_cast<float>(source[i]));
    }
}

template <Element E>
void convert_numeric_array(ArrayType* array, std::span<E> target) {
    Datum* items = nullptr;
    int count = 0;
    deconstruct_array(array, NUMERICOID, -1, false, TYPALIGN_INT, &items, nullptr, &count);
    check_always(static_cast<size_t>(count) == target.size());
    for (size_t i = 0; i < target.size(); ++i) {
        const float value = DatumGetFloat4(DirectFunctionCall1(numeric_float4, items[i]));
        target[i] = element_or_raise<E>(value);
    }
    pfree(items);
}

template <Element E>
void convert_any_array(ArrayType* array, std::span<E> target) {
    switch (ARR_ELEMTYPE(array)) {
        case INT4OID:
            return convert_array<int32>(array, target);
        case FLOAT4OID:
            return convert_array<float4>(array, target);
        case FLOAT8OID:
            return convert_array<float8>(array, target);
        case NUMERICOID:
            return convert_numeric_array(array, target);
        default:
            ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION), errmsg("unsupported array type")));
    }
}

template <Element E>
Datum from_array(FunctionCallInfo fcinfo) {
    ArrayType* array = PG_GETARG_ARRAYTYPE_P(0);
    const int32 typmod = PG_GETARG_INT32(1);
    if (ARR_NDIM(array) > 1) {
        ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION), errmsg("array must be 1-D")));
    }
    if (ARR_HASNULL(array) && array_contains_nulls(array)) {
        ereport(ERROR,
                (errcode(ERRCODE_NULL_VALUE_NOT_ALLOWED), errmsg("array must not contain nulls")));
    }
    const int count = ArrayGetNItems(ARR_NDIM(array), ARR_DIMS(array));
    check_dimensions<E>(count);
    check_expected(typmod, count);
    Dense<E>* result = allocate_dense<E>(static_cast<size_t>(count));
    convert_any_array(array, result->elements());
    check_finite<E>(finiteness(std::span<const E>(result->elements())));
    PG_RETURN_POINTER(result);
}

template <Element E>
Datum to_array(FunctionCallInfo fcinfo) {
    const auto source = dense_arg<E>(fcinfo, 0)->elements();
    ArrayType* array = allocate_array<float4>(source.size());
    const std::span<float> target = array_elements<float4>(array);
    if constexpr (std::is_same_v<E, Half>) {
        convert(source, target);
    } else {
        std::copy(source.begin(), source.end(), target.begin());
    }
    PG_RETURN_ARRAYTYPE_P(array);
}

// The cast of a type to itself only applies the type modifier.
template <Element E>
Datum apply_modifier(FunctionCallInfo fcinfo) {
    const Dense<E>* value = dense_arg<E>(fcinfo, 0);
    check_expected(PG_GETARG_INT32(1), value->dimensions);
    PG_RETURN_POINTER(value);
}

}  // namespace

PAGODA_SQL_FUNCTION(vector) {
    return apply_modifier<float>(fcinfo);
}
PAGODA_SQL_FUNCTION(halfvec) {
    return apply_modifier<Half>(fcinfo);
}
PAGODA_SQL_FUNCTION(array_to_vector) {
    return from_array<float>(fcinfo);
}
PAGODA_SQL_FUNCTION(array_to_halfvec) {
    return from_array<Half>(fcinfo);
}
PAGODA_SQL_FUNCTION(vector_to_float4) {
    return to_array<float>(fcinfo);
}
PAGODA_SQL_FUNCTION(halfvec_to_float4) {
    return to_array<Half>(fcinfo);
}

PAGODA_SQL_FUNCTION(halfvec_to_vector) {
    const HalfVector* source = dense_arg<Half>(fcinfo, 0);
    check_expected(PG_GETARG_INT32(1), source->dimensions);
    Vector* result = allocate_dense<float>(source->elements().size());
    convert(source->elements(), result->elements());
    PG_RETURN_POINTER(result);
}

PAGODA_SQL_FUNCTION(vector_to_halfvec) {
    const Vector* source = dense_arg<float>(fcinfo, 0);
    check_expected(PG_GETARG_INT32(1), source->dimensions);
    HalfVector* result = allocate_dense<Half>(source->elements().size());
    const size_t fault = convert(source->elements(), result->elements());
    if (fault < source->elements().size()) raise_half_overflow(source->elements()[fault]);
    PG_RETURN_POINTER(result);
}

}  // namespace pagoda

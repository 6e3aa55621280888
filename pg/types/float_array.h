// One-dimensional arrays of float4 or float8 without nulls, read and written in place.
#pragma once

#include "pg/backend.h"

namespace pagoda {

template <class Float>
requires std::is_same_v<Float, float4> || std::is_same_v<Float, float8>
inline constexpr Oid float_type = std::is_same_v<Float, float4> ? FLOAT4OID : FLOAT8OID;

// A new array, lower bound 1, elements zero. count >= 1.
template <class Float>
ArrayType* allocate_array(size_t count) {
    const size_t bytes = ARR_OVERHEAD_NONULLS(1) + count * sizeof(Float);
    auto* array = static_cast<ArrayType*>(palloc0(bytes));
    SET_VARSIZE(array, bytes);
    array->ndim = 1;
    array->dataoffset = 0;
    array->elemtype = float_type<Float>;
    ARR_DIMS(array)[0] = static_cast<int>(count);
    ARR_LBOUND(array)[0] = 1;
    return array;
}

// The elements of an array that is one-dimensional, has no nulls and the element type Float.
template <class Float>
std::span<Float> array_elements(ArrayType* array) {
    return {reinterpret_cast<Float*>(ARR_DATA_PTR(array)), static_cast<size_t>(ARR_DIMS(array)[0])};
}

}  // namespace pagoda

// The stored form of `vector` and `halfvec` and the checks that all of their SQL functions share.
//
// A value is a varlena: length word, int16 number of dimensions, int16 zero, elements (float4 or
// IEEE half). A value that comes from a table may have a short length word or be toasted; dense_arg
// undoes that. Memory is palloc'ed in the current context.
#pragma once

#include "core/vector/element.h"
#include "pg/error.h"

namespace pagoda {

template <Element E>
struct Dense {
    int32 vl_len_;  // by SET_VARSIZE only
    int16 dimensions;
    int16 unused;  // zero

    std::span<const E> elements() const {
        return {reinterpret_cast<const E*>(this + 1), static_cast<size_t>(dimensions)};
    }
    std::span<E> elements() {
        return {reinterpret_cast<E*>(this + 1), static_cast<size_t>(dimensions)};
    }
};

using Vector = Dense<float>;
using HalfVector = Dense<Half>;

static_assert(sizeof(Vector) == 8 && sizeof(HalfVector) == 8);
static_assert(offsetof(Vector, dimensions) == VARHDRSZ);

template <Element E>
inline constexpr const char* type_name = std::is_same_v<E, Half> ? "halfvec" : "vector";

template <Element E>
constexpr size_t dense_bytes(size_t dimensions) {
    return sizeof(Dense<E>) + dimensions * sizeof(E);
}

// The checks raise ERROR; the messages are what clients of pgvector compare with.
template <Element E>
void check_dimensions(int64 dimensions) {
    if (dimensions < 1) {
        ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION),
                        errmsg("%s must have at least 1 dimension", type_name<E>)));
    }
    if (dimensions > static_cast<int64>(dimensions_max)) {
        ereport(ERROR, (errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
                        errmsg("%s cannot have more than %d dimensions", type_name<E>,
                               static_cast<int>(dimensions_max))));
    }
}

// `expected` is a type modifier; -1 allows any number of dimensions.
inline void check_expected(int32 expected, int32 dimensions) {
    if (expected != -1 && expected != dimensions) {
        ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION),
                        errmsg("expected %d dimensions, not %d", expected, dimensions)));
    }
}

template <Element E>
void check_same(const Dense<E>* a, const Dense<E>* b) {
    if (a->dimensions != b->dimensions) {
        ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION),
                        errmsg("different %s dimensions %d and %d", type_name<E>, a->dimensions,
                               b->dimensions)));
    }
}

template <Element E>
void check_finite(Finiteness state) {
    if (state == Finiteness::not_a_number) {
        ereport(ERROR,
                (errcode(ERRCODE_DATA_EXCEPTION), errmsg("NaN not allowed in %s", type_name<E>)));
    }
    if (state == Finiteness::infinite) {
        ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION),
                        errmsg("infinite value not allowed in %s", type_name<E>)));
    }
}

// Raises the error for a float that no half can hold.
[[noreturn]] inline void raise_half_overflow(float value) {
    char text[FLOAT_SHORTEST_DECIMAL_LEN];
    float_to_shortest_decimal_buf(value, text);
    ereport(ERROR, (errcode(ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE),
                    errmsg("\"%s\" is out of range for type %s", text, type_name<Half>)));
    pg_unreachable();
}

// The element for a float, which may itself be infinite or NaN; ERROR when it is finite and the
// element type cannot hold it.
template <Element E>
E element_or_raise(float value) {
    const E element = to_element<E>(value);
    if constexpr (std::is_same_v<E, Half>) {
        if (is_infinite(element) && !is_infinite(value)) raise_half_overflow(value);
    }
    return element;
}

// A new value with elements that are not initialised. 1 <= dimensions <= dimensions_max.
template <Element E>
Dense<E>* allocate_dense(size_t dimensions) {
    check_always(dimensions >= 1 && dimensions <= dimensions_max);
    auto* result = static_cast<Dense<E>*>(palloc(dense_bytes<E>(dimensions)));
    SET_VARSIZE(result, dense_bytes<E>(dimensions));
    result->dimensions = static_cast<int16>(dimensions);
    result->unused = 0;
    return result;
}

// Argument `number` of a call, detoasted. A value whose length contradicts its dimensions was
// damaged on disk: ERROR.
template <Element E>
const Dense<E>* dense_arg(FunctionCallInfo fcinfo, int number) {
    const auto* value = reinterpret_cast<const Dense<E>*>(PG_GETARG_VARLENA_P(number));
    const size_t bytes = VARSIZE(value);
    if (bytes < sizeof(Dense<E>) || value->dimensions < 1 ||
        bytes != dense_bytes<E>(static_cast<size_t>(value->dimensions))) {
        ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED),
                        errmsg("value of type %s is damaged", type_name<E>)));
    }
    return value;
}

}  // namespace pagoda

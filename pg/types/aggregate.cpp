// avg(vector) and avg(halfvec). The state is a float8 array: the number of values, then the sum of
// each dimension; before the first value it has the number (zero) only. Sums in float8 do not
// overflow where the average fits the type. sum() needs nothing here: it is the addition.
#include "pg/types/dense.h"
#include "pg/types/float_array.h"

namespace pagoda {
namespace {

// Argument `number` as a state array. Any client may call these functions, so the shape is checked.
ArrayType* state_arg(FunctionCallInfo fcinfo, int number, const char* caller) {
    ArrayType* array = PG_GETARG_ARRAYTYPE_P(number);
    if (ARR_NDIM(array) != 1 || ARR_DIMS(array)[0] < 1 || ARR_HASNULL(array) ||
        ARR_ELEMTYPE(array) != FLOAT8OID) {
        elog(ERROR, "%s: expected state array", caller);
    }
    return array;
}

// Within an aggregate the state belongs to the transition function and may be changed in place; it
// was made by these functions, so its lower bound is 1 as that of the copy.
ArrayType* writable_state(FunctionCallInfo fcinfo, ArrayType* state) {
    if (AggCheckCallContext(fcinfo, nullptr)) return state;
    auto* copy = static_cast<ArrayType*>(palloc(VARSIZE(state)));
    std::memcpy(copy, state, VARSIZE(state));
    ARR_LBOUND(copy)[0] = 1;
    return copy;
}

void add_to(float8& sum, float8 value) {
    sum += value;
    if (unlikely(std::isinf(sum))) float_overflow_error();
}

template <Element E>
Datum accumulate(FunctionCallInfo fcinfo, const char* caller) {
    ArrayType* state = state_arg(fcinfo, 0, caller);
    const Dense<E>* value = dense_arg<E>(fcinfo, 1);
    const int32 dimensions = ARR_DIMS(state)[0] - 1;
    if (dimensions == 0) {
        ArrayType* first = allocate_array<float8>(static_cast<size_t>(value->dimensions) + 1);
        array_elements<float8>(first)[0] = array_elements<float8>(state)[0];
        state = first;
    } else {
        check_expected(dimensions, value->dimensions);
        state = writable_state(fcinfo, state);
    }
    const std::span<float8> sums = array_elements<float8>(state);
    sums[0] += 1;
    const auto elements = value->elements();
    for (size_t i = 0; i < elements.size(); ++i) add_to(sums[i + 1], to_float(elements[i]));
    PG_RETURN_ARRAYTYPE_P(state);
}

template <Element E>
Datum average(FunctionCallInfo fcinfo, const char* caller) {
    const std::span<float8> sums = array_elements<float8>(state_arg(fcinfo, 0, caller));
    const float8 count = sums[0];
    if (count == 0) PG_RETURN_NULL();
    check_dimensions<E>(static_cast<int64>(sums.size()) - 1);
    Dense<E>* result = allocate_dense<E>(sums.size() - 1);
    const auto target = result->elements();
    for (size_t i = 0; i < target.size(); ++i) {
        target[i] = element_or_raise<E>(static_cast<float>(sums[i + 1] / count));
        check_finite<E>(finiteness(target[i]));
    }
    PG_RETURN_POINTER(result);
}

}  // namespace

PAGODA_SQL_FUNCTION(vector_accum) {
    return accumulate<float>(fcinfo, "vector_accum");
}
PAGODA_SQL_FUNCTION(halfvec_accum) {
    return accumulate<Half>(fcinfo, "halfvec_accum");
}

// Serves both types: the state has no trace of the element type.
PAGODA_SQL_FUNCTION(vector_combine) {
    ArrayType* a = state_arg(fcinfo, 0, "vector_combine");
    ArrayType* b = state_arg(fcinfo, 1, "vector_combine");
    // A state without values adds nothing, whatever its length.
    if (array_elements<float8>(a)[0] == 0) std::swap(a, b);
    if (array_elements<float8>(a)[0] != 0) check_dimensions<float>(ARR_DIMS(a)[0] - 1);
    ArrayType* state = writable_state(fcinfo, a);
    if (array_elements<float8>(b)[0] != 0) {
        check_expected(ARR_DIMS(a)[0] - 1, ARR_DIMS(b)[0] - 1);
        const std::span<float8> sums = array_elements<float8>(state);
        const std::span<float8> others = array_elements<float8>(b);
        sums[0] += others[0];
        for (size_t i = 1; i < sums.size(); ++i) add_to(sums[i], others[i]);
    }
    PG_RETURN_ARRAYTYPE_P(state);
}

PAGODA_SQL_FUNCTION(vector_avg) {
    return average<float>(fcinfo, "vector_avg");
}
PAGODA_SQL_FUNCTION(halfvec_avg) {
    return average<Half>(fcinfo, "halfvec_avg");
}

}  // namespace pagoda

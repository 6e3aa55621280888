// Detoasting and widening of column values.
#include "pg/ivf/value.h"

#include "core/simd/kernels.h"

namespace pagoda::ivf {

static std::span<const float> widen(const void* halves, size_t count) {
    auto* floats = static_cast<float*>(palloc(count * sizeof(float)));
    simd::kernels().f16_to_f32(static_cast<const uint16_t*>(halves), floats, count);
    return {floats, count};
}

std::span<const float> read_value(const OperatorClass& operator_class, Datum value) {
    const varlena* datum = PG_DETOAST_DATUM(value);
    const auto* stored = reinterpret_cast<const StoredVector*>(datum);
    const size_t element_bytes =
        operator_class.element == Element::f32 ? sizeof(float) : sizeof(uint16_t);
    if (VARSIZE(datum) < sizeof(StoredVector) || stored->dim < 1 ||
        VARSIZE(datum) != sizeof(StoredVector) + stored->dim * element_bytes) {
        ereport(ERROR, (errcode(ERRCODE_DATA_CORRUPTED),
                        errmsg("value of type %s is damaged", operator_class.type_name)));
    }
    const void* elements = stored + 1;
    const auto count = static_cast<size_t>(stored->dim);
    if (operator_class.element == Element::f16) return widen(elements, count);
    return {static_cast<const float*>(elements), count};
}

void expect_row_dimensions(std::span<const float> value, uint32_t dim) {
    if (value.size() == dim) return;
    ereport(ERROR, (errcode(ERRCODE_DATA_EXCEPTION),
                    errmsg("expected %u dimensions, not %zu", dim, value.size())));
}

}  // namespace pagoda::ivf

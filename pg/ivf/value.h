// Column values as floats. The layout of vector and halfvec is that of pgvector 0.7 and newer and
// of the bundled types: a varlena header, then dim and an unused field of 16 bits each, then the
// elements (float, or IEEE half).
#pragma once

#include "pg/ivf/opclass.h"

namespace pagoda::ivf {

struct StoredVector {
    int32 length;  // the varlena header
    int16 dim;
    int16 unused;
};
static_assert(sizeof(StoredVector) == 8);

// The elements of a non-NULL value. They lie in the value itself or in the current memory context,
// which the caller resets. Values that contradict the layout are ERROR data_corrupted.
std::span<const float> read_value(const OperatorClass& operator_class, Datum value);

// ERROR 22000 unless a row's value has the dimensions of the index.
void expect_row_dimensions(std::span<const float> value, uint32_t dim);

}  // namespace pagoda::ivf

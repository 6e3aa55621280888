// What an operator class of ivf_rabitq says about itself. Support function 1 of each class is a C
// function (internal) returns internal that returns one constant description; the relation cache
// keeps its address with the index.
#pragma once

#include "core/ivf/format.h"
#include "pg/backend.h"

namespace pagoda::ivf {

inline constexpr uint16_t distance_strategy = 1;     // the operator of ORDER BY
inline constexpr uint16_t description_function = 1;  // support function number

enum class Element : uint8_t { f32, f16 };

struct OperatorClass {
    Metric metric;
    Element element;
    const char* type_name;  // as error messages call it
};

// The description of the operator class of the index's only column. Lives forever.
const OperatorClass& operator_class_of(Relation index);

// Dimensions that the type modifier of the column fixes; ERROR 22023 when it fixes none.
uint32_t column_dimensions(Relation index);

}  // namespace pagoda::ivf

// Reader of NumPy's .npy files: magic "\x93NUMPY", version, header length, a Python dictionary
// literal {'descr': ..., 'fortran_order': ..., 'shape': ...}, then the elements. Accepted are
// two-dimensional arrays in C order of little-endian halves ('<f2'), floats ('<f4') and bytes
// ('|u1'), header versions 1 to 3. Everything in the file is hostile: a bad one gives an Error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/base/result.h"

namespace pagoda::tool {

enum class ElementType : uint8_t { f16, f32, u8 };

constexpr size_t element_bytes(ElementType type) {
    return type == ElementType::f32 ? 4 : type == ElementType::f16 ? 2 : 1;
}

// A matrix inside somebody else's bytes, row-major; data.size() is rows * columns * element size.
struct MatrixView {
    ElementType type = ElementType::f32;
    size_t rows = 0;
    size_t columns = 0;
    std::span<const std::byte> data;

    std::span<const std::byte> row(size_t index) const;
    // target.size() == columns. Halves and bytes convert to f32 exactly.
    void copy_row(size_t index, std::span<float> target) const;
    // The first `count` rows (count <= rows).
    MatrixView first_rows(size_t count) const;
};

// The view points into `file`. Errors: invalid_syntax (not such a file, or elements missing or left
// over), too_large (the shape overflows).
Result<MatrixView> parse_npy(std::span<const std::byte> file);

}  // namespace pagoda::tool

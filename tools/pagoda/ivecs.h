// Reader of .ivecs files: per row a little-endian int32 count and as many int32 values. Used for
// exact neighbours: row i holds the ids of the rows nearest to query i, nearest first.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/base/result.h"

namespace pagoda::tool {

// All rows have the same length.
struct Neighbours {
    size_t queries = 0;
    size_t per_query = 0;
    std::vector<int32_t> ids;  // queries x per_query

    std::span<const int32_t> of(size_t query) const {
        return std::span(ids).subspan(query * per_query, per_query);
    }
};

// Errors: invalid_syntax when the rows differ in length, are empty, or the file ends inside one.
Result<Neighbours> parse_ivecs(std::span<const std::byte> file);

}  // namespace pagoda::tool

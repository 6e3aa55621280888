// Parser of .ivecs: the first count fixes the row length, so the file size gives the row count
// before anything is allocated.
#include "tools/pagoda/ivecs.h"

#include <cstring>

#include "core/base/bits.h"

namespace pagoda::tool {

Result<Neighbours> parse_ivecs(std::span<const std::byte> file) {
    const auto syntax_error = [](const char* expected) {
        return Error{ErrorCode::invalid_syntax, no_block, expected};
    };
    if (file.size() < 4) return syntax_error("at least one row of .ivecs");
    const int32_t count = load<int32_t>(file.data());
    if (count <= 0) return syntax_error("a positive count at the start of each row");
    const size_t row_bytes = 4 + 4 * size_t(count);
    if (file.size() % row_bytes != 0) return syntax_error("whole rows of equal length");

    Neighbours neighbours;
    neighbours.queries = file.size() / row_bytes;
    neighbours.per_query = size_t(count);
    neighbours.ids.resize(neighbours.queries * neighbours.per_query);
    for (size_t i = 0; i < neighbours.queries; ++i) {
        const std::byte* row = file.data() + i * row_bytes;
        if (load<int32_t>(row) != count) return syntax_error("rows of equal length");
        std::memcpy(neighbours.ids.data() + i * neighbours.per_query, row + 4, row_bytes - 4);
    }
    return neighbours;
}

}  // namespace pagoda::tool

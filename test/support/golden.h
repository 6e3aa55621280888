// Golden files: bytes that this and all later versions must produce or decode.
//
// golden_compare() compares with test/golden/v1/NAME.page and says where the first difference is.
// With PAGODA_UPDATE_GOLDEN=1 in the environment it writes the file instead, and fails, so that an
// update is never mistaken for a passing test. A file may hold one page or a whole index.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace pagoda::test {

// The content of `folder`/`name`.page, or nothing when it cannot be read.
std::optional<std::vector<std::byte>> read_golden(const std::string& folder,
                                                  const std::string& name);

::testing::AssertionResult golden_compare(const std::string& folder, const std::string& name,
                                          std::span<const std::byte> bytes);

#ifdef PAGODA_GOLDEN_DIR
inline ::testing::AssertionResult golden_compare(const std::string& name,
                                                 std::span<const std::byte> bytes) {
    return golden_compare(PAGODA_GOLDEN_DIR "/v1", name, bytes);
}
#endif

}  // namespace pagoda::test

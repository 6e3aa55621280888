// The reader of .ivecs files of exact neighbours.
#include "tools/pagoda/ivecs.h"

#include <gtest/gtest.h>

#include <vector>

namespace pagoda::tool {
namespace {

Result<Neighbours> parse(const std::vector<int32_t>& words, size_t cut = 0) {
    const auto bytes = std::as_bytes(std::span(words));
    return parse_ivecs(bytes.first(bytes.size() - cut));
}

TEST(Ivecs, reads_rows_in_order) {
    const auto result = parse({2, 7, 8, 2, 9, 3});
    ASSERT_TRUE(result);
    EXPECT_EQ(result.value().queries, 2u);
    EXPECT_EQ(result.value().per_query, 2u);
    const auto second = result.value().of(1);
    EXPECT_EQ(std::vector<int32_t>(second.begin(), second.end()), (std::vector<int32_t>{9, 3}));
}

TEST(Ivecs, refuses_malformed_files) {
    EXPECT_FALSE(parse({}));
    EXPECT_FALSE(parse({0}));
    EXPECT_FALSE(parse({-1, 1}));
    EXPECT_FALSE(parse({2, 7}));
    EXPECT_FALSE(parse({1, 7, 2, 9}));
    EXPECT_FALSE(parse({1, 7}, 1));
    EXPECT_FALSE(parse({INT32_MAX, 7}));
}

}  // namespace
}  // namespace pagoda::tool

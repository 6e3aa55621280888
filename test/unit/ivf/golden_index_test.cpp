// An index written by version 1 of the format answers for ever. The golden file is the image of a
// whole index; the rows it was made of are made again from their seed, so what it must answer is
// known without asking the code that wrote it. PAGODA_UPDATE_GOLDEN=1 writes a new one (and fails).
#include <gtest/gtest.h>

#include <cstdlib>
#include <set>

#include "test/support/golden.h"
#include "test/unit/ivf/index_fixture.h"

namespace pagoda::test {
namespace {

constexpr size_t dim = 72;
constexpr uint32_t built_rows = 300, all_rows = 340;

VectorSet golden_rows() {
    // Integers and halves only, from the integer generator: the same on every machine.
    VectorSet set;
    set.dim = dim;
    Random random(20261130);
    for (size_t i = 0; i < all_rows * dim; i++) {
        const auto centre = static_cast<int>((i / dim % 7) * (i % 5));
        set.values.push_back(static_cast<float>(centre + static_cast<int>(random.below(9))) / 2);
    }
    std::fill_n(set.values.begin() + static_cast<ptrdiff_t>(17 * dim), dim, 0.0f);
    return set;
}

// A built index with a zero vector, later insertions, and lanes that VACUUM emptied.
std::vector<std::byte> write_index(const VectorSet& set) {
    MemoryStore store;
    VectorSet first = set;
    first.values.resize(built_rows * dim);
    auto options = build_options(dim, ivf::Metric::cosine, built_rows);
    options.lists = 5;
    build_index(store, first, options);
    for (uint32_t row = built_rows; row < all_rows; row++) insert_row(store, set.row(row), row);
    std::vector<bool> dead(all_rows, false);
    for (uint32_t row = 0; row < all_rows; row += 20) dead[row] = true;
    vacuum_rows(store, dead);
    std::vector<std::byte> bytes;
    for (const PageImage& page : store.image()) bytes.insert(bytes.end(), page.begin(), page.end());
    return bytes;
}

TEST(GoldenIndex, version_1_is_read_and_goes_on_working) {
    const VectorSet set = golden_rows();
    if (std::getenv("PAGODA_UPDATE_GOLDEN") != nullptr) {
        EXPECT_TRUE(golden_compare("ivf_index", write_index(set)));
        return;
    }
    const auto bytes = read_golden(PAGODA_GOLDEN_DIR "/v1", "ivf_index");
    ASSERT_TRUE(bytes.has_value());
    ASSERT_EQ(bytes->size() % page_bytes, 0u);
    std::vector<PageImage> pages(bytes->size() / page_bytes);
    std::memcpy(pages.data(), bytes->data(), bytes->size());
    MemoryStore store;
    store.load_image(pages);

    std::set<uint32_t> expected;
    for (uint32_t row = 0; row < all_rows; row++) {
        if (row % 20 != 0) expected.insert(row);
    }
    const auto rows = search_rows(store, set.row(3), SIZE_MAX);
    EXPECT_EQ(std::set<uint32_t>(rows.begin(), rows.end()), expected);
    EXPECT_EQ(rows.size(), expected.size());
    EXPECT_EQ(rows.back(), 17u);  // the zero vector
    for (const uint32_t row : {3u, 99u, 301u, 339u}) {
        EXPECT_EQ(search_rows(store, set.row(row), 1)[0], row);
    }
    for (uint32_t row = 0; row < all_rows; row += 20) insert_row(store, set.row(row), row);
    EXPECT_EQ(search_rows(store, set.row(3), SIZE_MAX).size(), all_rows);
}

}  // namespace
}  // namespace pagoda::test

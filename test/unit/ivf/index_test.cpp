// Whole indexes over the memory store: what a search returns after builds, inserts and deletions.
#include <gtest/gtest.h>

#include <numeric>
#include <set>

#include "test/unit/ivf/index_fixture.h"

namespace pagoda::test {
namespace {

VectorSet clustered_rows(size_t rows, size_t dim, uint64_t stream = 0) {
    ClusteredShape shape;
    shape.rows = rows;
    shape.dim = dim;
    shape.intrinsic_dim = std::min<size_t>(dim, 24);
    shape.clusters = 30;
    shape.stream = stream;
    return clustered(shape);
}

// Every row of 0 .. count - 1 exactly once, in any order.
void expect_all_rows(std::vector<uint32_t> rows, uint32_t count) {
    std::sort(rows.begin(), rows.end());
    std::vector<uint32_t> all(count);
    std::iota(all.begin(), all.end(), 0);
    EXPECT_EQ(rows, all);
}

struct Case {
    uint32_t dim;
    ivf::Metric metric;
    uint8_t refine_bits;
};

class IndexOf : public testing::TestWithParam<Case> {};

TEST_P(IndexOf, built_rows_are_found_and_all_returned_once) {
    const Case c = GetParam();
    const VectorSet set = clustered_rows(3000, c.dim);
    const VectorSet queries = clustered_rows(40, c.dim, 1);
    MemoryStore store;
    auto options = build_options(c.dim, c.metric, set.rows());
    options.refine_bits = c.refine_bits;
    build_index(store, set, options);
    const double floor = c.refine_bits == 8 ? 0.93 : c.refine_bits == 4 ? 0.85 : 0.3;
    EXPECT_GE(mean_recall(store, set, queries, c.metric, 10), floor);
    expect_all_rows(search_rows(store, queries.row(0), SIZE_MAX), 3000);
    expect_all_rows(search_rows(store, {}, SIZE_MAX), 3000);
}

INSTANTIATE_TEST_SUITE_P(
    kinds, IndexOf,
    testing::Values(Case{128, ivf::Metric::l2, 8}, Case{128, ivf::Metric::cosine, 8},
                    Case{128, ivf::Metric::inner_product, 8}, Case{100, ivf::Metric::l2, 4},
                    Case{100, ivf::Metric::cosine, 0}, Case{64, ivf::Metric::l2, 8},
                    Case{65, ivf::Metric::inner_product, 4}, Case{3, ivf::Metric::l2, 8},
                    Case{1, ivf::Metric::l2, 8}));

TEST(index, all_lists_and_wide_bounds_give_the_exact_order_of_estimates) {
    const VectorSet set = clustered_rows(1500, 96);
    const VectorSet queries = clustered_rows(20, 96, 1);
    MemoryStore store;
    build_index(store, set, build_options(96, ivf::Metric::l2, set.rows()));
    EXPECT_GE(mean_recall(store, set, queries, ivf::Metric::l2, 10, {100000, 5}), 0.985);
}

TEST(index, rows_inserted_into_an_empty_index_are_found) {
    const VectorSet set = clustered_rows(700, 100);
    const VectorSet queries = clustered_rows(20, 100, 1);
    MemoryStore store;
    TestMemory memory;
    ivf::write_empty_index(store, build_options(100, ivf::Metric::l2, 0), memory.memory());
    EXPECT_TRUE(search_rows(store, queries.row(0), SIZE_MAX).empty());
    for (uint32_t i = 0; i < set.rows(); i++) insert_row(store, set.row(i), i);
    expect_all_rows(search_rows(store, queries.row(0), SIZE_MAX), 700);
    EXPECT_GE(mean_recall(store, set, queries, ivf::Metric::l2, 10), 0.95);
    store.assert_replay_equal();
}

TEST(index, inserted_rows_join_built_ones) {
    VectorSet set = clustered_rows(2000, 72);
    const VectorSet queries = clustered_rows(20, 72, 1);
    VectorSet first = set;
    first.values.resize(1200 * 72);
    MemoryStore store;
    build_index(store, first, build_options(72, ivf::Metric::cosine, first.rows()));
    for (uint32_t i = 1200; i < 2000; i++) insert_row(store, set.row(i), i);
    expect_all_rows(search_rows(store, queries.row(0), SIZE_MAX), 2000);
    EXPECT_GE(mean_recall(store, set, queries, ivf::Metric::cosine, 10), 0.93);
}

TEST(index, vacuum_removes_rows_and_inserts_use_their_lanes_again) {
    const VectorSet set = clustered_rows(1500, 64);
    MemoryStore store;
    build_index(store, set, build_options(64, ivf::Metric::l2, set.rows()));
    std::vector<bool> dead(1500);
    for (size_t i = 0; i < dead.size(); i += 3) dead[i] = true;
    const auto counts = vacuum_rows(store, dead);
    EXPECT_EQ(counts.removed, 500u);
    EXPECT_EQ(counts.live, 1000u);
    const auto left = search_rows(store, set.row(0), SIZE_MAX);
    EXPECT_EQ(left.size(), 1000u);
    for (const uint32_t row : left) EXPECT_FALSE(dead[row]);
    const uint32_t blocks = store.block_count();
    for (uint32_t i = 0; i < 1500; i += 3) insert_row(store, set.row(i), i);
    EXPECT_EQ(store.block_count(), blocks);
    expect_all_rows(search_rows(store, set.row(0), SIZE_MAX), 1500);
    EXPECT_EQ(search_rows(store, set.row(3), 1)[0], 3u);
}

TEST(index, zero_vectors_come_last_under_cosine) {
    VectorSet set = clustered_rows(500, 80);
    for (size_t i = 0; i < 500; i += 50) {
        std::fill_n(set.values.begin() + static_cast<ptrdiff_t>(i * 80), 80, 0.0f);
    }
    MemoryStore store;
    build_index(store, set, build_options(80, ivf::Metric::cosine, set.rows()));
    insert_row(store, std::vector<float>(80, 0.0f), 500);
    const auto rows = search_rows(store, set.row(1), SIZE_MAX);
    expect_all_rows(rows, 501);
    for (size_t i = 0; i < rows.size(); i++) {
        const bool is_zero = rows[i] % 50 == 0;
        EXPECT_EQ(is_zero, i >= 490) << i;
    }
}

TEST(index, equal_rows_and_extreme_magnitudes_are_returned_once) {
    for (const VectorSet& set :
         {constant(300, 70, 1.5f), constant(300, 70, 0.0f), duplicated(600, 70, 7, 3),
          scaled(clustered_rows(400, 70), 1e-20f), scaled(clustered_rows(400, 70), 1e18f),
          scaled(clustered_rows(400, 70), 1e30f)}) {
        MemoryStore store;
        build_index(store, set, build_options(70, ivf::Metric::l2, set.rows()));
        expect_all_rows(search_rows(store, set.row(0), SIZE_MAX),
                        static_cast<uint32_t>(set.rows()));
        insert_row(store, set.row(1), static_cast<uint32_t>(set.rows()));
        EXPECT_EQ(search_rows(store, set.row(1), SIZE_MAX).size(), set.rows() + 1);
    }
}

TEST(index, magnitude_of_the_data_does_not_change_recall) {
    for (const float factor : {1e-18f, 1e-3f, 1.0f, 1e5f, 1e15f}) {
        const VectorSet set = scaled(clustered_rows(1500, 96), factor);
        const VectorSet queries = scaled(clustered_rows(20, 96, 1), factor);
        MemoryStore store;
        build_index(store, set, build_options(96, ivf::Metric::l2, set.rows()));
        EXPECT_GE(mean_recall(store, set, queries, ivf::Metric::l2, 10, {1000, 4}), 0.98) << factor;
    }
}

TEST(index, high_dimensions_cross_pages_at_every_level) {
    for (const uint32_t dim : {63u, 1029u, 2065u, 4101u, 8145u, 16000u}) {
        const VectorSet set = clustered_rows(100, dim);
        MemoryStore store;
        VectorSet built = set;
        built.values.resize(size_t{60} * dim);
        build_index(store, built, build_options(dim, ivf::Metric::l2, built.rows()));
        for (uint32_t i = 60; i < 100; i++) insert_row(store, set.row(i), i);
        expect_all_rows(search_rows(store, set.row(0), SIZE_MAX), 100);
        for (const uint32_t row : {0u, 59u, 60u, 99u}) {
            EXPECT_EQ(search_rows(store, set.row(row), 1)[0], row) << dim;
        }
        EXPECT_LE(store.counters().edit_pages_max, PageEdit::pages_max);
    }
}

TEST(index, a_list_grows_past_its_inline_extents) {
    const VectorSet set = clustered_rows(4000, 16);
    MemoryStore store;
    auto options = build_options(16, ivf::Metric::l2, 100);
    options.lists = 1;
    VectorSet first = set;
    first.values.resize(100 * 16);
    build_index(store, first, options);
    TestMemory memory;
    ivf::Inserter<MemoryStore> inserter(store, memory.memory());
    inserter.open();
    for (uint32_t i = 100; i < 4000; i++) inserter.insert(set.row(i), tid_of_row(i));
    const auto statistics = ivf::index_statistics(store);
    EXPECT_EQ(statistics.rows, 4000u);
    EXPECT_EQ(statistics.lists, 1u);
    expect_all_rows(search_rows(store, set.row(0), SIZE_MAX), 4000);
    store.assert_replay_equal();
}

}  // namespace
}  // namespace pagoda::test

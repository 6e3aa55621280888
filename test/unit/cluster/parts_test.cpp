// The parts of clustering: k-means of one level, seats, repeats, empty groups, sampling, imbalance.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>
#include <type_traits>
#include <vector>

#include "core/cluster/distinct.h"
#include "core/cluster/lloyd.h"
#include "core/cluster/sample.h"
#include "core/cluster/seats.h"
#include "test/unit/cluster/rows.h"

namespace pagoda::cluster {
namespace {

constexpr uint64_t seed = 99;
constexpr size_t dim = 64;

// Nothing that is alive across a poll owns anything.
static_assert(std::is_trivially_destructible_v<Pace>);
static_assert(std::is_trivially_destructible_v<Centroids>);
static_assert(std::is_trivially_destructible_v<LloydWorkspace>);
static_assert(std::is_trivially_destructible_v<AssignWorkspace>);
static_assert(std::is_trivially_destructible_v<Reservoir>);

// A workspace for k-means with memory of its own.
struct Memory {
    explicit Memory(size_t rows, size_t clusters)
        : bytes(Arena::bytes_for<float>(tile_rows(dim) * (dim + tile_columns)) + 64 +
                Arena::bytes_for<float>(simd::gemm_workspace_floats(dim)) + 16 * (rows + 64) +
                16 * (clusters + 64)),
          arena(bytes) {
        workspace.tile = allocate_tile(arena, dim);
        workspace.half_norms = arena.allocate<float>(clusters);
        workspace.best = arena.allocate<float>(rows);
        workspace.nearest = arena.allocate<uint32_t>(rows);
        workspace.members = arena.allocate<uint32_t>(rows);
        workspace.begin = arena.allocate<uint32_t>(clusters + 1);
        workspace.weights = arena.allocate<uint32_t>(clusters);
        check_always(!workspace.weights.empty());
    }

    std::vector<std::byte> bytes;
    Arena arena;
    LloydWorkspace workspace;
};

std::vector<uint32_t> numbers(size_t count) {
    std::vector<uint32_t> ids(count);
    std::iota(ids.begin(), ids.end(), 0);
    return ids;
}

TEST(Lloyd, does_not_raise_its_objective) {
    const auto values = clustered_rows(1500, dim, seed);
    const Rows rows{values, dim, 0.25f};
    auto ids = numbers(1500);
    const std::vector<uint8_t> is_repeat(1500);
    Memory memory(1500, 30);
    Pace pace({});
    Random random(seed);
    std::vector<float> centroids(30 * dim);
    ASSERT_EQ(choose_seeds(rows, ids, is_repeat, random, pace, centroids), 30u);
    double previous = INFINITY;
    double first = 0;
    for (int iteration = 0; iteration < 15; ++iteration) {
        const double objective = lloyd(rows, ids, 1, random, memory.workspace, pace, centroids);
        EXPECT_LE(objective, previous + 1e-5 * std::fabs(previous)) << iteration;
        if (iteration == 0) first = objective;
        previous = objective;
    }
    EXPECT_LT(previous, first);
}

TEST(Lloyd, works_on_a_subset_and_leaves_other_rows_alone) {
    auto values = clustered_rows(400, dim, seed);
    std::fill(values.begin() + 200 * dim, values.end(), 1e6f);
    const Rows rows{values, dim, 1};
    const auto ids = numbers(200);
    Memory memory(400, 8);
    memory.workspace.nearest[300] = 12345;
    Pace pace({});
    Random random(seed);
    std::vector<float> centroids(values.begin(), values.begin() + 8 * dim);
    lloyd(rows, ids, 10, random, memory.workspace, pace, centroids);
    for (const float value : centroids) EXPECT_LT(std::fabs(value), 1000);
    EXPECT_EQ(memory.workspace.nearest[300], 12345u);
    EXPECT_EQ(memory.workspace.begin[8], 200u);
}

TEST(Lloyd, gives_clusters_without_rows_a_part_of_the_largest) {
    const auto values = clustered_rows(300, dim, seed);
    const Rows rows{values, dim, 1};
    const auto ids = numbers(300);
    Memory memory(300, 4);
    Pace pace({});
    Random random(seed);
    // Three centroids are so far away that no row is nearest to them.
    std::vector<float> centroids(4 * dim, 1e6f);
    std::fill(centroids.begin(), centroids.begin() + dim, 0.0f);
    lloyd(rows, ids, 6, random, memory.workspace, pace, centroids);
    for (size_t i = 0; i < 4; ++i) {
        EXPECT_GT(memory.workspace.begin[i + 1], memory.workspace.begin[i]) << i;
    }
    EXPECT_TRUE(all_finite(centroids));
}

TEST(Lloyd, survives_more_clusters_than_distinct_rows) {
    const std::vector<float> values(50 * dim, 3.0f);
    const Rows rows{values, dim, 1};
    const auto ids = numbers(50);
    Memory memory(50, 6);
    Pace pace({});
    Random random(seed);
    std::vector<float> centroids(6 * dim, 3.0f);
    lloyd(rows, ids, 5, random, memory.workspace, pace, centroids);
    for (const float value : centroids) EXPECT_FLOAT_EQ(value, 3.0f);
}

TEST(Seeds, are_distinct_rows_of_the_subset) {
    const auto values = clustered_rows(100, dim, seed);
    const Rows rows{values, dim, 1};
    std::vector<uint8_t> is_repeat(100);
    for (size_t i = 0; i < 100; i += 2) is_repeat[i] = 1;
    Pace pace({});
    std::set<uint32_t> seen;
    for (uint64_t run = 0; run < 60; ++run) {
        Random random(seed + run);
        auto ids = numbers(60);
        std::vector<float> centroids(40 * dim);
        ASSERT_EQ(choose_seeds(rows, ids, is_repeat, random, pace, centroids), 30u);
        centroids.resize(5 * dim);
        ASSERT_EQ(choose_seeds(rows, ids, is_repeat, random, pace, centroids), 5u);
        std::set<uint32_t> chosen(ids.begin(), ids.begin() + 5);
        EXPECT_EQ(chosen.size(), 5u);
        for (const uint32_t id : chosen) {
            EXPECT_TRUE(id < 60 && is_repeat[id] == 0);
        }
        seen.insert(chosen.begin(), chosen.end());
        std::ranges::sort(ids);
        EXPECT_EQ(ids, numbers(60));
    }
    EXPECT_EQ(seen.size(), 30u);
}

TEST(Repeats, are_rows_equal_to_an_earlier_one) {
    auto values = clustered_rows(500, dim, seed);
    Random random(seed);
    std::set<size_t> expected;
    for (size_t i = 1; i < 500; ++i) {
        if (random.below(3) != 0) continue;
        std::copy_n(values.begin() + random.below(i) * dim, dim, values.begin() + i * dim);
        expected.insert(i);
    }
    // Zero and minus zero are equal.
    values[7 * dim] = 0.0f;
    std::copy_n(values.begin() + 7 * dim, dim, values.begin() + 499 * dim);
    values[499 * dim] = -0.0f;
    expected.insert(499);
    expected.erase(7);
    std::vector<uint8_t> is_repeat(500, 77);
    std::vector<uint32_t> table(distinct_table_slots(500));
    Pace pace({});
    const uint32_t distinct = mark_repeats({values, dim, 1}, table, pace, is_repeat);
    size_t marked = 0;
    for (size_t i = 0; i < 500; ++i) {
        bool repeats = false;
        for (size_t j = 0; j < i && !repeats; ++j) {
            repeats = std::equal(values.begin() + i * dim, values.begin() + (i + 1) * dim,
                                 values.begin() + j * dim);
        }
        EXPECT_EQ(is_repeat[i], repeats ? 1 : 0) << i;
        marked += is_repeat[i];
    }
    EXPECT_EQ(distinct + marked, 500u);
    EXPECT_GT(marked, 100u);
    EXPECT_EQ(is_repeat[499], 1);
}

TEST(Repeats, table_is_never_larger_than_three_slots_a_row_nor_full) {
    for (size_t count = 1; count < 5000; ++count) {
        EXPECT_LE(distinct_table_slots(count), 3 * count);
        EXPECT_GT(distinct_table_slots(count), count);
    }
}

TEST(Seats, follow_the_weights_within_the_limits) {
    Random random(seed);
    Pace pace({});
    for (int run = 0; run < 300; ++run) {
        const size_t parties = 1 + random.below(20);
        std::vector<uint32_t> weights(parties), limits(parties), seats(parties);
        uint32_t least = 0;
        uint64_t most = 0;
        uint64_t total = 0;
        for (size_t i = 0; i < parties; ++i) {
            weights[i] = static_cast<uint32_t>(1 + random.below(1000));
            limits[i] = static_cast<uint32_t>(random.below(weights[i] + 1));
            least += limits[i] > 0 ? 1 : 0;
            most += limits[i];
            total += weights[i];
        }
        const auto count = static_cast<uint32_t>(least + random.below(most - least + 1));
        allocate_seats(weights, limits, count, pace, seats);
        EXPECT_EQ(std::accumulate(seats.begin(), seats.end(), 0u), count);
        for (size_t i = 0; i < parties; ++i) {
            EXPECT_LE(seats[i], limits[i]);
            EXPECT_GE(seats[i], limits[i] > 0 ? 1u : 0u);
        }
    }
}

TEST(Seats, are_shared_by_odd_divisors) {
    Pace pace({});
    // 53 : 24 : 23 with 7 seats: averages 53, 24, 23, 17.7, 10.6, 8, 7.7 win 4, 2 and 1 ... the
    // seventh goes to 24 / 3 = 8 before 23 / 3 = 7.67 and 53 / 7 = 7.57.
    const std::vector<uint32_t> weights{53, 24, 23};
    const std::vector<uint32_t> limits{100, 100, 100};
    std::vector<uint32_t> seats(3);
    allocate_seats(weights, limits, 6, pace, seats);
    EXPECT_EQ(seats, (std::vector<uint32_t>{3, 2, 1}));
    allocate_seats(weights, limits, 7, pace, seats);
    EXPECT_EQ(seats, (std::vector<uint32_t>{3, 2, 2}));
    allocate_seats(weights, limits, 3, pace, seats);
    EXPECT_EQ(seats, (std::vector<uint32_t>{1, 1, 1}));
}

TEST(Centroids, lose_groups_without_lists_and_keep_the_order_of_others) {
    std::vector<float> groups(5 * dim), lists(6 * dim);
    for (size_t i = 0; i < groups.size(); ++i) groups[i] = static_cast<float>(i / dim);
    std::vector<uint32_t> begin{0, 0, 2, 2, 6, 6};
    Centroids centroids{dim, groups, lists, begin};
    remove_empty_groups(centroids);
    ASSERT_TRUE(is_well_formed(centroids));
    ASSERT_EQ(centroids.group_count(), 2u);
    EXPECT_EQ(centroids.group_begin[1], 2u);
    EXPECT_EQ(centroids.list_count(), 6u);
    EXPECT_EQ(centroids.group(0)[0], 1.0f);
    EXPECT_EQ(centroids.group(1)[dim - 1], 3.0f);
}

TEST(Sample, keeps_every_row_of_a_short_stream) {
    Reservoir reservoir(10, seed);
    EXPECT_EQ(reservoir.filled(), 0u);
    for (uint64_t row = 0; row < 10; ++row) EXPECT_EQ(reservoir.offer(), row);
    EXPECT_EQ(reservoir.filled(), 10u);
    for (int row = 0; row < 1000; ++row) {
        const uint64_t slot = reservoir.offer();
        EXPECT_TRUE(slot < 10 || slot == Reservoir::no_slot);
    }
    EXPECT_EQ(reservoir.filled(), 10u);
    EXPECT_EQ(reservoir.seen(), 1010u);
}

TEST(Sample, takes_each_row_equally_often) {
    constexpr uint64_t capacity = 20;
    constexpr uint64_t stream = 100;
    constexpr int runs = 5000;
    std::vector<int> taken(stream);
    for (int run = 0; run < runs; ++run) {
        Reservoir reservoir(capacity, seed + run);
        std::vector<uint64_t> slots(capacity);
        for (uint64_t row = 0; row < stream; ++row) {
            const uint64_t slot = reservoir.offer();
            if (slot != Reservoir::no_slot) slots[slot] = row;
        }
        for (const uint64_t row : slots) ++taken[row];
    }
    // 1000 expected, standard deviation 28.
    for (const int count : taken) EXPECT_NEAR(count, 1000, 5 * 28);
}

TEST(Sample, of_no_capacity_takes_nothing) {
    Reservoir reservoir(0, seed);
    for (int row = 0; row < 10; ++row) EXPECT_EQ(reservoir.offer(), Reservoir::no_slot);
    EXPECT_EQ(reservoir.filled(), 0u);
}

TEST(Imbalance, is_one_for_even_lists_and_their_number_for_one_full_list) {
    EXPECT_DOUBLE_EQ(imbalance(std::vector<uint32_t>{5, 5, 5, 5}), 1);
    EXPECT_DOUBLE_EQ(imbalance(std::vector<uint32_t>{0, 0, 9, 0}), 4);
    EXPECT_DOUBLE_EQ(imbalance(std::vector<uint32_t>{1, 3}), 1.25);
    EXPECT_DOUBLE_EQ(imbalance(std::vector<uint32_t>{0, 0}), 1);
    EXPECT_DOUBLE_EQ(imbalance({}), 1);
}

}  // namespace
}  // namespace pagoda::cluster

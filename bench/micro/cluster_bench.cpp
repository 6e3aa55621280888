// Speed of training and of two-level assignment on generated rows: the two sizes that the design
// names (1700 lists at 112 dimensions, 500 lists at 512, 64 sample rows a list), and assignment
// against the number of groups explored.
#include <benchmark/benchmark.h>

#include <vector>

#include "core/base/arena.h"
#include "core/base/random.h"
#include "core/cluster/assign.h"
#include "core/cluster/centroids.h"
#include "core/cluster/train.h"

namespace pagoda::cluster {
namespace {

constexpr size_t samples_per_list = 64;
constexpr size_t assigned_rows = 8192;

// Rows around `centre_count` centres, with uniform noise as wide as the centres' own spread.
std::vector<float> make_rows(size_t count, size_t dim, size_t centre_count) {
    Random random(7);
    std::vector<float> centres(centre_count * dim);
    for (float& value : centres) value = static_cast<float>(random.unit());
    std::vector<float> rows(count * dim);
    for (size_t i = 0; i < count; ++i) {
        const size_t centre = random.below(centre_count);
        for (size_t j = 0; j < dim; ++j) {
            rows[i * dim + j] = centres[centre * dim + j] + static_cast<float>(random.unit());
        }
    }
    return rows;
}

void train_lists(benchmark::State& state) {
    const auto lists = static_cast<uint32_t>(state.range(0));
    const auto dim = static_cast<size_t>(state.range(1));
    const size_t count = samples_per_list * lists;
    const auto rows = make_rows(count, dim, lists);
    std::vector<std::byte> memory(train_bytes(count, dim, lists));
    for (auto _ : state) {
        Arena arena(memory);
        Centroids centroids;
        if (!train(rows, count, dim, lists, 1, {}, arena, centroids).ok()) {
            state.SkipWithError("training failed");
        }
        benchmark::DoNotOptimize(centroids.lists.data());
    }
    state.counters["workspace_bytes"] = static_cast<double>(memory.size());
}
BENCHMARK(train_lists)
    ->Args({128, 512})
    ->Args({500, 512})
    ->Args({1700, 112})
    ->Unit(benchmark::kMillisecond);

void assign_rows_to_lists(benchmark::State& state) {
    const auto lists = static_cast<uint32_t>(state.range(0));
    const auto dim = static_cast<size_t>(state.range(1));
    const auto explore = static_cast<uint32_t>(state.range(2));
    const size_t count = 16 * lists;
    const auto sample = make_rows(count, dim, lists);
    std::vector<std::byte> memory(train_bytes(count, dim, lists));
    Arena arena(memory);
    Centroids centroids;
    if (!train(sample, count, dim, lists, 1, {}, arena, centroids).ok()) {
        state.SkipWithError("training failed");
    }
    const auto rows = make_rows(assigned_rows, dim, lists);
    std::vector<std::byte> workspace(
        assign_bytes(assigned_rows, dim, centroids.group_count(), centroids.list_count(), explore));
    std::vector<uint32_t> found(assigned_rows);
    std::vector<float> distances(assigned_rows);
    for (auto _ : state) {
        Arena work(workspace);
        if (!assign(centroids, rows, explore, {}, work, found, distances).ok()) {
            state.SkipWithError("assignment failed");
        }
        benchmark::DoNotOptimize(found.data());
    }
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * assigned_rows));
}
BENCHMARK(assign_rows_to_lists)
    ->ArgsProduct({{500}, {512}, {1, 3, 5, 256}})
    ->ArgsProduct({{1700}, {112}, {1, 3, 5, 256}})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace pagoda::cluster

BENCHMARK_MAIN();

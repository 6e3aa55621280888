// Kernels and code preparation at the shapes that matter: 768 dimensions, lists in L2. Run with
// --benchmark_filter=avx2 to leave out the scalar oracle. Items are vectors unless a counter says
// otherwise, so `items_per_second` is vectors per second.
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

#include "core/base/random.h"
#include "core/simd/kernels.h"

namespace pagoda::simd {
namespace {

constexpr size_t dimensions = 768;

std::vector<float> random_floats(size_t n, uint64_t seed) {
    Random random(seed);
    std::vector<float> values(n);
    for (float& v : values) v = static_cast<float>(random.unit() * 2 - 1);
    return values;
}

template <class T>
std::vector<T> random_integers(size_t n, uint64_t seed, uint64_t bound) {
    Random random(seed);
    std::vector<T> values(n);
    for (T& v : values) v = static_cast<T>(random.below(bound));
    return values;
}

void fastscan(benchmark::State& state, const Kernels* k) {
    constexpr size_t rows = dimensions / 4;
    constexpr size_t groups = 64;  // 196 KB of codes
    const auto codes = random_integers<uint8_t>(groups * rows * 16, 1, 256);
    const auto table = random_integers<uint8_t>(rows * 16, 2, 128);
    for (auto _ : state) {
        for (size_t group = 0; group < groups; ++group) {
            uint16_t acc[32] = {};
            k->fastscan(codes.data() + group * rows * 16, table.data(), rows, acc);
            benchmark::DoNotOptimize(acc);
        }
    }
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * groups * 32));
}

void filter(benchmark::State& state, const Kernels* k) {
    const auto acc = random_integers<uint32_t>(32, 1, 24000);
    const auto add = random_integers<uint16_t>(32, 2, 0x7000);
    const auto s = random_integers<uint16_t>(32, 3, 0x7000);
    const Kernels::FilterArgs args{0.5f, 0.25f, 1, -2, 0.3f, 1e-3f, -0.4f, 1};
    float lower[32], estimate[32];
    for (auto _ : state) {
        benchmark::DoNotOptimize(
            k->filter(acc.data(), add.data(), s.data(), &args, lower, estimate));
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * 32));
}

template <class Dot>
void code_dot(benchmark::State& state, Dot dot, size_t bytes) {
    constexpr size_t vectors = 256;
    const auto codes = random_integers<uint8_t>(vectors * bytes, 1, 256);
    auto query = random_integers<int16_t>(dimensions, 2, 4095);
    for (int16_t& q : query) q = static_cast<int16_t>(q - 2047);
    for (auto _ : state) {
        for (size_t i = 0; i < vectors; ++i) {
            benchmark::DoNotOptimize(dot(codes.data() + i * bytes, query.data(), dimensions));
        }
    }
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * vectors));
}

template <class T, class Distance>
void distance(benchmark::State& state, Distance function, const std::vector<T>& rows) {
    const size_t vectors = rows.size() / dimensions;
    for (auto _ : state) {
        for (size_t i = 1; i < vectors; ++i) {
            benchmark::DoNotOptimize(
                function(rows.data(), rows.data() + i * dimensions, dimensions));
        }
    }
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * (vectors - 1)));
}

void hadamard(benchmark::State& state, const Kernels* k) {
    auto x = random_floats(512, 1);
    for (auto _ : state) {
        k->hadamard(x.data(), x.size(), 0.044194173824159216f);
        benchmark::ClobberMemory();
    }
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations()));
}

void gemm(benchmark::State& state, const Kernels* k, size_t rows, size_t columns, size_t depth) {
    const auto a = random_floats(rows * depth, 1), b = random_floats(columns * depth, 2);
    std::vector<float> out(rows * columns), workspace(gemm_workspace_floats(depth));
    for (auto _ : state) {
        k->gemm(a.data(), rows, b.data(), columns, depth, out.data(), columns, workspace.data());
        benchmark::ClobberMemory();
    }
    const double operations = 2.0 * static_cast<double>(rows * columns * depth);
    state.counters["FLOP/s"] =
        benchmark::Counter(operations * static_cast<double>(state.iterations()),
                           benchmark::Counter::kIsRate, benchmark::Counter::kIs1000);
}

void register_level(const Kernels* k) {
    const std::string prefix = std::string(k->name) + "/";
    const auto named = [&](const char* name) { return prefix + name; };
    const auto floats = random_floats(128 * dimensions, 1);
    std::vector<uint16_t> halves(floats.size());
    k->f32_to_f16(floats.data(), halves.data(), floats.size());
    const auto add = [&](const char* name, auto function) {
        benchmark::RegisterBenchmark(named(name).c_str(), function);
    };
    add("fastscan", [k](benchmark::State& s) { fastscan(s, k); });
    add("filter", [k](benchmark::State& s) { filter(s, k); });
    add("dot_u8_i16", [k](benchmark::State& s) { code_dot(s, k->dot_u8_i16, dimensions); });
    add("dot_u4_i16", [k](benchmark::State& s) { code_dot(s, k->dot_u4_i16, dimensions / 2); });
    add("l2_f32", [k, floats](benchmark::State& s) { distance(s, k->l2_f32, floats); });
    add("dot_f32", [k, floats](benchmark::State& s) { distance(s, k->dot_f32, floats); });
    add("l2_f16", [k, halves](benchmark::State& s) { distance(s, k->l2_f16, halves); });
    add("dot_f16", [k, halves](benchmark::State& s) { distance(s, k->dot_f16, halves); });
    add("hadamard_512", [k](benchmark::State& s) { hadamard(s, k); });
    add("gemm_96x96x768", [k](benchmark::State& s) { gemm(s, k, 96, 96, 768); });
    add("gemm_510x1024x768", [k](benchmark::State& s) { gemm(s, k, 510, 1024, 768); });
    add("gemm_255x240x100", [k](benchmark::State& s) { gemm(s, k, 255, 240, 100); });
}

}  // namespace
}  // namespace pagoda::simd

int main(int argc, char** argv) {
    using pagoda::simd::Level;
    for (Level level : {Level::scalar, Level::avx2, Level::neon}) {
        const auto* table = pagoda::simd::kernels_of(level);
        if (table != nullptr) pagoda::simd::register_level(table);
    }
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}

// Preparation of rows (rotation, codes, group images) and queries (tables, 12-bit values), and the
// scan of whole groups, with the machine's best kernels. The argument is the dimension.
#include <benchmark/benchmark.h>

#include <cstring>
#include <vector>

#include "core/base/random.h"
#include "core/rabitq/encode.h"
#include "core/rabitq/estimate.h"
#include "core/rabitq/group.h"
#include "core/rabitq/rotation.h"

namespace pagoda::rabitq {
namespace {

std::vector<float> random_floats(size_t n, uint64_t seed) {
    Random random(seed);
    std::vector<float> values(n);
    for (float& v : values) v = static_cast<float>(random.unit() * 2 - 1);
    return values;
}

size_t dimension_of(const benchmark::State& state) {
    return static_cast<size_t>(state.range(0));
}

void rotation(benchmark::State& state) {
    const size_t dim = dimension_of(state);
    std::vector<uint8_t> signs(rotation_sign_bytes(dim));
    const Rotation rotation = make_rotation(dim, 1, signs);
    auto x = random_floats(dim, 2);
    for (auto _ : state) {
        rotate(rotation, x);
        benchmark::ClobberMemory();
    }
}
BENCHMARK(rotation)->Arg(128)->Arg(768)->Arg(1024)->Arg(1536);

void encode(benchmark::State& state) {
    const size_t dim = dimension_of(state);
    const auto refine_bits = static_cast<uint32_t>(state.range(1));
    const auto z = random_floats(dim, 1), c = random_floats(dim, 2), m = random_floats(dim, 3);
    const EncodeInput input{Metric::inner_product, z, c, m};
    std::vector<uint8_t> bits(dim / 8), code(dim);
    for (auto _ : state) {
        const SignCode signs = encode_signs(input, bits);
        benchmark::DoNotOptimize(signs);
        if (refine_bits != 0) {
            const std::span<uint8_t> part(code.data(), level_code_bytes(dim, refine_bits));
            benchmark::DoNotOptimize(encode_levels(input, signs, refine_bits, part));
        }
        benchmark::ClobberMemory();
    }
}
BENCHMARK(encode)->Args({768, 0})->Args({768, 4})->Args({768, 8});

void put_code_in_group(benchmark::State& state) {
    const size_t dim = dimension_of(state);
    std::vector<std::byte> group(group_bytes(dim));
    const std::vector<uint8_t> bits(dim / 8, 0x5A);
    size_t lane = 0;
    for (auto _ : state) {
        put_code(group, dim, lane++ % group_lanes, bits);
        benchmark::ClobberMemory();
    }
}
BENCHMARK(put_code_in_group)->Arg(768);

void lookup_table(benchmark::State& state) {
    const size_t dim = dimension_of(state);
    const auto w = random_floats(dim, 1);
    std::vector<uint8_t> table(lookup_bytes(dim));
    for (auto _ : state) {
        benchmark::DoNotOptimize(build_lookup(w, table));
        benchmark::ClobberMemory();
    }
}
BENCHMARK(lookup_table)->Arg(768);

void twelve_bit_query(benchmark::State& state) {
    const size_t dim = dimension_of(state);
    const auto w = random_floats(dim, 1);
    std::vector<int16_t> values(dim);
    for (auto _ : state) {
        benchmark::DoNotOptimize(quantize_query(w, values));
        benchmark::ClobberMemory();
    }
}
BENCHMARK(twelve_bit_query)->Arg(768);

// Groups one after another, as in a list scan; the second argument is how many (in L2, or beyond).
void scan_groups(benchmark::State& state) {
    const size_t dim = dimension_of(state);
    const auto groups = static_cast<size_t>(state.range(1));
    std::vector<std::byte> image(groups * group_bytes(dim));
    Random random(1);
    for (std::byte& b : image) b = std::byte{static_cast<uint8_t>(random.next())};
    const auto w = random_floats(dim, 2);
    std::vector<uint8_t> table(lookup_bytes(dim));
    FilterInput input{};
    input.table = build_lookup(w, table);
    input.list = {1, 1};
    input.epsilon_kappa = 0.5f;
    input.threshold = -1e30f;
    for (auto _ : state) {
        uint32_t below = 0;
        for (size_t g = 0; g < groups; ++g) {
            const std::byte* group = image.data() + g * group_bytes(dim);
            uint32_t acc[32] = {};
            uint16_t add[32], s[32];
            float lower[32], estimate[32];
            accumulate(group, table.data(), group_rows(dim), acc);
            std::memcpy(add, group + add_offset(dim), sizeof add);
            std::memcpy(s, group + scale_offset(dim), sizeof s);
            const auto args = filter_args(input);
            below |= simd::kernels().filter(acc, add, s, &args, lower, estimate);
        }
        benchmark::DoNotOptimize(below);
    }
    state.SetItemsProcessed(static_cast<int64_t>(state.iterations() * groups * group_lanes));
}
BENCHMARK(scan_groups)->Args({768, 64})->Args({768, 20000});

}  // namespace
}  // namespace pagoda::rabitq

BENCHMARK_MAIN();

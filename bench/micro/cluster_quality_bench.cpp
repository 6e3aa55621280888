// How good the lists are on real vectors: rows that must be scanned so that the lists read hold 95
// % of the 10 nearest rows, averaged over queries and three seeds, for plain and for hierarchical
// k-means.
//
//   cluster_quality_bench BASE.npy QUERY.npy TRUTH.ivecs ROWS_PER_LIST unit|raw CONFIG...
//
// Reads .npy of f16, f32 or u8; `unit` normalises rows. CONFIG is
// GROUP_FACTOR:REFINEMENTS:EXPLORE, "default" or "flat". Lists are ranked by |q - c|^2.
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <numeric>
#include <string>
#include <vector>

#include "core/base/arena.h"
#include "core/base/bits.h"
#include "core/cluster/assign.h"
#include "core/cluster/centroids.h"
#include "core/cluster/sample.h"
#include "core/cluster/train.h"
#include "core/simd/kernels.h"

namespace pagoda {
namespace {

constexpr size_t samples_per_list = 64;
constexpr size_t nearest_count = 10;
constexpr uint64_t seeds = 3;

struct Matrix {
    std::vector<float> values;
    size_t count = 0;
    size_t dim = 0;  // padded to a multiple of 16 with zeroes

    const float* row(size_t i) const { return values.data() + i * dim; }
};

[[noreturn]] void fail(const std::string& what) {
    std::fprintf(stderr, "cluster_quality_bench: %s\n", what.c_str());
    std::exit(1);
}

std::string read_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    if (!file) fail("cannot read " + path);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void normalise(std::span<float> row) {
    const float norm = std::sqrt(simd::kernels().dot_f32(row.data(), row.data(), row.size()));
    if (norm == 0) return;
    for (float& value : row) value /= norm;
}

Matrix read_npy(const std::string& path, bool is_unit) {
    const std::string bytes = read_file(path);
    const size_t start = 10 + load<uint16_t>(bytes.data() + 8);
    const std::string header = bytes.substr(10, start - 10);
    Matrix matrix;
    size_t dim = 0;
    const char* shape = std::strstr(header.c_str(), "'shape': (");
    if (shape == nullptr || std::sscanf(shape + 10, "%zu, %zu", &matrix.count, &dim) != 2) {
        fail("no matrix in " + path);
    }
    matrix.dim = round_up(std::max<size_t>(dim, 64), 16);
    matrix.values.resize(matrix.count * matrix.dim);
    const char* source = bytes.data() + start;
    for (size_t i = 0; i < matrix.count; ++i) {
        float* row = matrix.values.data() + i * matrix.dim;
        if (header.find("f2") != std::string::npos) {
            simd::kernels().f16_to_f32(reinterpret_cast<const uint16_t*>(source) + i * dim, row,
                                       dim);
        } else if (header.find("f4") != std::string::npos) {
            std::memcpy(row, source + i * dim * sizeof(float), dim * sizeof(float));
        } else {
            for (size_t j = 0; j < dim; ++j) row[j] = static_cast<uint8_t>(source[i * dim + j]);
        }
        if (is_unit) normalise({row, matrix.dim});
    }
    return matrix;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::vector<float> draw_sample(const Matrix& base, size_t rows) {
    cluster::Reservoir reservoir(rows, 1);
    std::vector<size_t> chosen(std::min(rows, base.count));
    for (size_t i = 0; i < base.count; ++i) {
        const uint64_t slot = reservoir.offer();
        if (slot != cluster::Reservoir::no_slot) chosen[slot] = i;
    }
    std::vector<float> sample;
    sample.reserve(chosen.size() * base.dim);
    for (const size_t i : chosen) sample.insert(sample.end(), base.row(i), base.row(i) + base.dim);
    return sample;
}

// Scanned rows and coverage after each number of probes, averaged over the queries.
struct Curve {
    std::vector<double> scanned, covered;

    // Rows scanned at a coverage, interpolated.
    double scanned_at(double coverage) const {
        for (size_t i = 0; i < covered.size(); ++i) {
            if (covered[i] < coverage) continue;
            if (i == 0) return scanned[0];
            const double part = (coverage - covered[i - 1]) / (covered[i] - covered[i - 1]);
            return scanned[i - 1] + part * (scanned[i] - scanned[i - 1]);
        }
        return scanned.back();
    }
};

Curve measure(const cluster::Centroids& centroids, const Matrix& queries, const std::string& truth,
              const std::vector<uint32_t>& list_of, const std::vector<uint32_t>& counts) {
    const size_t lists = centroids.list_count();
    Curve curve{std::vector<double>(lists), std::vector<double>(lists)};
    std::vector<float> distances(lists);
    std::vector<uint32_t> order(lists), hits(lists);
    const size_t record = sizeof(int32_t) * (1 + load<int32_t>(truth.data()));
    for (size_t q = 0; q < queries.count; ++q) {
        for (size_t i = 0; i < lists; ++i) {
            distances[i] =
                simd::kernels().l2_f32(queries.row(q), centroids.list(i).data(), queries.dim);
        }
        std::iota(order.begin(), order.end(), 0);
        std::ranges::sort(order, {}, [&](uint32_t list) { return distances[list]; });
        std::ranges::fill(hits, 0);
        for (size_t i = 0; i < nearest_count; ++i) {
            const char* id = truth.data() + q * record + sizeof(int32_t) * (1 + i);
            ++hits[list_of[load<int32_t>(id)]];
        }
        double scanned = 0;
        double covered = 0;
        for (size_t i = 0; i < lists; ++i) {
            scanned += counts[order[i]];
            covered += hits[order[i]];
            curve.scanned[i] += scanned / queries.count;
            curve.covered[i] += covered / (nearest_count * queries.count);
        }
    }
    return curve;
}

cluster::Tuning parse_config(const std::string& config) {
    cluster::Tuning tuning;
    if (config == "flat") {
        tuning.flat_lists_max = UINT32_MAX;
        return tuning;
    }
    if (config == "default") return tuning;
    if (std::sscanf(config.c_str(), "%f:%u:%u", &tuning.group_factor, &tuning.refinements,
                    &tuning.explore) != 3) {
        fail("bad configuration " + config);
    }
    tuning.flat_lists_max = 1;
    return tuning;
}

// Figures of one configuration, averaged over seeds.
struct Figures {
    double train_seconds = 0, assign_seconds = 0, error = 0, imbalance = 0;
    double scanned_90 = 0, scanned_95 = 0, scanned_98 = 0;
    uint32_t groups = 0, largest = 0;
};

void add_run(const cluster::Tuning& tuning, uint64_t seed, const Matrix& base,
             const Matrix& queries, const std::string& truth, const std::vector<float>& sample,
             uint32_t list_count, Figures& figures) {
    const size_t sample_rows = sample.size() / base.dim;
    std::vector<std::byte> memory(cluster::train_bytes(sample_rows, base.dim, list_count, tuning));
    Arena arena(memory);
    cluster::Centroids centroids;
    auto start = std::chrono::steady_clock::now();
    if (!cluster::train(sample, sample_rows, base.dim, list_count, seed, {}, arena, centroids,
                        tuning)
             .ok()) {
        fail("training failed");
    }
    figures.train_seconds += seconds_since(start) / seeds;

    std::vector<std::byte> assign_memory(cluster::assign_bytes(
        base.count, base.dim, centroids.group_count(), centroids.list_count(), tuning.explore));
    Arena assign_arena(assign_memory);
    std::vector<uint32_t> list_of(base.count);
    std::vector<float> distances(base.count);
    start = std::chrono::steady_clock::now();
    if (!cluster::assign(centroids, base.values, tuning.explore, {}, assign_arena, list_of,
                         distances)
             .ok()) {
        fail("assignment failed");
    }
    figures.assign_seconds += seconds_since(start) / seeds;

    std::vector<uint32_t> counts(centroids.list_count());
    for (const uint32_t list : list_of) ++counts[list];
    const Curve curve = measure(centroids, queries, truth, list_of, counts);
    figures.groups = centroids.group_count();
    figures.largest = std::max(figures.largest, *std::ranges::max_element(counts));
    figures.error += std::accumulate(distances.begin(), distances.end(), 0.0) / base.count / seeds;
    figures.imbalance += cluster::imbalance(counts) / seeds;
    figures.scanned_90 += curve.scanned_at(0.90) / seeds;
    figures.scanned_95 += curve.scanned_at(0.95) / seeds;
    figures.scanned_98 += curve.scanned_at(0.98) / seeds;
}

}  // namespace
}  // namespace pagoda

int main(int argc, char** argv) {
    using namespace pagoda;
    if (argc < 7) fail("BASE.npy QUERY.npy TRUTH.ivecs ROWS_PER_LIST unit|raw CONFIG...");
    const bool is_unit = std::strcmp(argv[5], "unit") == 0;
    const Matrix base = read_npy(argv[1], is_unit);
    const Matrix queries = read_npy(argv[2], is_unit);
    const std::string truth = read_file(argv[3]);
    const auto list_count = static_cast<uint32_t>(base.count / std::strtoul(argv[4], nullptr, 10));
    const std::vector<float> sample = draw_sample(base, samples_per_list * list_count);
    std::printf("%zu rows of dim %zu, %u lists, sample %zu rows, kernels %s\n", base.count,
                base.dim, list_count, sample.size() / base.dim, simd::kernels().name);
    std::printf("%-14s %6s %7s %8s %10s %9s %7s %8s %8s %8s\n", "config", "groups", "train s",
                "assign s", "error", "imbalance", "largest", "scan .90", "scan .95", "scan .98");
    for (int i = 6; i < argc; ++i) {
        const cluster::Tuning tuning = parse_config(argv[i]);
        Figures figures;
        for (uint64_t seed = 1; seed <= seeds; ++seed) {
            add_run(tuning, seed, base, queries, truth, sample, list_count, figures);
        }
        std::printf("%-14s %6u %7.2f %8.2f %10.5g %9.3f %7u %8.0f %8.0f %8.0f\n", argv[i],
                    figures.groups, figures.train_seconds, figures.assign_seconds, figures.error,
                    figures.imbalance, figures.largest, figures.scanned_90, figures.scanned_95,
                    figures.scanned_98);
        std::fflush(stdout);
    }
    return 0;
}

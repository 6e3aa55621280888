// Rows for the tests of clustering: generated data with clusters of uneven size in a space of few
// dimensions, memory of an exact size, and distances computed the slow way in f64.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/base/arena.h"
#include "core/base/random.h"
#include "core/cluster/assign.h"
#include "core/cluster/centroids.h"
#include "core/cluster/train.h"

namespace pagoda::cluster {

inline float normal(Random& random) {
    double sum = -6;
    for (int i = 0; i < 12; ++i) sum += random.unit();
    return static_cast<float>(sum);
}

// `count` rows around sqrt(count) / 2 centres; later centres are rarer. Each row is a point of 12
// latent dimensions mapped linearly to `dim` dimensions, plus a little noise.
inline std::vector<float> clustered_rows(size_t count, size_t dim, uint64_t seed) {
    constexpr size_t latent = 12;
    Random random(seed);
    std::vector<float> map(latent * dim);
    for (float& value : map) value = normal(random);
    const size_t centre_count = 1 + static_cast<size_t>(std::sqrt(count) / 2);
    std::vector<float> centres(centre_count * latent);
    for (float& value : centres) value = 2 * normal(random);
    std::vector<float> rows(count * dim);
    for (size_t i = 0; i < count; ++i) {
        const double u = random.unit();
        const size_t centre = static_cast<size_t>(u * u * static_cast<double>(centre_count));
        for (size_t j = 0; j < dim; ++j) rows[i * dim + j] = 0.05f * normal(random);
        for (size_t l = 0; l < latent; ++l) {
            const float place = centres[centre * latent + l] + normal(random);
            for (size_t j = 0; j < dim; ++j) rows[i * dim + j] += place * map[l * dim + j];
        }
    }
    return rows;
}

inline double squared_distance(std::span<const float> a, std::span<const float> b) {
    double sum = 0;
    for (size_t i = 0; i < a.size(); ++i) {
        const double difference = static_cast<double>(a[i]) - b[i];
        sum += difference * difference;
    }
    return sum;
}

// Centroids together with the memory that they view.
struct Trained {
    std::vector<std::byte> memory;
    Centroids centroids;
};

// Trains in memory of exactly train_bytes(), so that a sanitizer sees any step outside of it.
inline Trained train_exactly(std::span<const float> rows, size_t dim, uint32_t list_count,
                             uint64_t seed, const Tuning& tuning = {}, Progress progress = {}) {
    const size_t count = rows.size() / dim;
    Trained trained;
    trained.memory.resize(train_bytes(count, dim, list_count, tuning));
    Arena arena(trained.memory);
    const Status status =
        train(rows, count, dim, list_count, seed, progress, arena, trained.centroids, tuning);
    check_always(status.ok());
    return trained;
}

struct Assigned {
    std::vector<uint32_t> lists;
    std::vector<float> distances;

    double mean_distance() const {
        double sum = 0;
        for (const float distance : distances) sum += distance;
        return sum / static_cast<double>(distances.size());
    }
};

inline Assigned assign_exactly(const Centroids& centroids, std::span<const float> rows,
                               uint32_t explore, Progress progress = {}) {
    const size_t count = rows.size() / centroids.dim;
    std::vector<std::byte> memory(assign_bytes(count, centroids.dim, centroids.group_count(),
                                               centroids.list_count(), explore));
    Arena arena(memory);
    Assigned assigned{std::vector<uint32_t>(count), std::vector<float>(count)};
    const Status status =
        assign(centroids, rows, explore, progress, arena, assigned.lists, assigned.distances);
    check_always(status.ok());
    return assigned;
}

inline bool all_finite(std::span<const float> values) {
    for (const float value : values) {
        if (!std::isfinite(value)) return false;
    }
    return true;
}

// What every result of training promises.
inline bool is_well_formed(const Centroids& centroids) {
    const auto begin = centroids.group_begin;
    if (begin.size() < 2 || begin[0] != 0) return false;
    for (size_t i = 1; i < begin.size(); ++i) {
        if (begin[i] <= begin[i - 1]) return false;
    }
    return centroids.groups.size() == centroids.group_count() * centroids.dim &&
           centroids.lists.size() == centroids.list_count() * centroids.dim &&
           all_finite(centroids.groups) && all_finite(centroids.lists);
}

}  // namespace pagoda::cluster

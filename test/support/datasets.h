// Vectors for tests: generators with fixed seeds, and the exact answer to compare with.
//
// clustered() looks like learned embeddings: rows lie around cluster centres in a space of few
// dimensions whose spectrum decays, all of it moved away from the origin by a common mean, plus a
// little noise in every dimension.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace pagoda::test {

struct VectorSet {
    size_t dim = 0;
    std::vector<float> values;  // rows x dim

    size_t rows() const { return dim == 0 ? 0 : values.size() / dim; }
    std::span<const float> row(size_t i) const {
        return std::span<const float>(values).subspan(i * dim, dim);
    }
};

struct ClusteredShape {
    size_t rows = 1000;
    size_t dim = 128;
    size_t clusters = 20;
    size_t intrinsic_dim = 16;  // at most dim
    double spread = 0.6;        // of rows around their centre; centres have spread 1
    double noise = 0.05;        // in every dimension
    double mean_norm = 1.0;     // length of the offset that all rows share
    uint64_t seed = 1;          // of the centres and axes
    uint64_t stream = 0;  // other rows of the same distribution: take 0 for rows, 1 for queries
};

VectorSet clustered(const ClusteredShape& shape);

// Independent standard normal values.
VectorSet isotropic(size_t rows, size_t dim, uint64_t seed);
// `rows` copies of `distinct` isotropic vectors, in random order.
VectorSet duplicated(size_t rows, size_t dim, size_t distinct, uint64_t seed);
// Every value is `value`.
VectorSet constant(size_t rows, size_t dim, float value);
// The set with every value multiplied; for huge (1e30) and tiny (1e-30) scales.
VectorSet scaled(VectorSet set, float factor);

enum class Distance : uint8_t { l2, inner_product, cosine };

struct Neighbour {
    uint32_t row;
    double distance;
};

// In double precision: squared l2, negative inner product, or 1 - cosine. The cosine distance to or
// from a zero vector is infinite.
double exact_distance(std::span<const float> a, std::span<const float> b, Distance distance);

// The k nearest rows, nearest first, equal distances by row number.
std::vector<Neighbour> exact_top_k(const VectorSet& set, std::span<const float> query, size_t k,
                                   Distance distance);

// Share of the exact neighbours that were found: rows of `found` (the first exact.size() count, a
// row once) that are no farther than the last exact neighbour.
double recall(const VectorSet& set, std::span<const float> query, Distance distance,
              std::span<const Neighbour> exact, std::span<const uint32_t> found);

}  // namespace pagoda::test

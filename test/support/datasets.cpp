// Generators of test vectors and the exact search.
#include "test/support/datasets.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <unordered_set>

#include "core/base/random.h"

namespace pagoda::test {

namespace {

// A standard normal value (Box and Muller 1958).
double normal(Random& random) {
    const double radius = std::sqrt(-2.0 * std::log(1.0 - random.unit()));
    return radius * std::cos(2.0 * std::numbers::pi * random.unit());
}

std::vector<double> normals(size_t count, double scale, Random& random) {
    std::vector<double> values(count);
    for (double& value : values) value = scale * normal(random);
    return values;
}

}  // namespace

VectorSet clustered(const ClusteredShape& shape) {
    check_always(shape.intrinsic_dim > 0 && shape.intrinsic_dim <= shape.dim);
    check_always(shape.clusters > 0);
    Random model(shape.seed);
    const double axis_scale = 1.0 / std::sqrt(static_cast<double>(shape.dim));
    const auto axes = normals(shape.intrinsic_dim * shape.dim, axis_scale, model);
    const auto mean = normals(shape.dim, shape.mean_norm * axis_scale, model);
    // The variance of axis i decays like 1 / (i + 1), as the spectrum of embeddings roughly does.
    std::vector<double> axis_spread(shape.intrinsic_dim);
    for (size_t i = 0; i < axis_spread.size(); i++) axis_spread[i] = 1.0 / std::sqrt(1.0 + i);
    const auto centres = normals(shape.clusters * shape.intrinsic_dim, 1.0, model);

    Random random(model.next() + shape.stream);
    VectorSet set{shape.dim, std::vector<float>(shape.rows * shape.dim)};
    std::vector<double> row(shape.dim);
    for (size_t r = 0; r < shape.rows; r++) {
        // Squaring makes some clusters much larger than others.
        const double unit = random.unit();
        const auto cluster = static_cast<size_t>(unit * unit * shape.clusters);
        row = mean;
        for (size_t i = 0; i < shape.intrinsic_dim; i++) {
            const double centre = centres[cluster * shape.intrinsic_dim + i];
            const double along = axis_spread[i] * (centre + shape.spread * normal(random));
            for (size_t d = 0; d < shape.dim; d++) row[d] += along * axes[i * shape.dim + d];
        }
        for (size_t d = 0; d < shape.dim; d++) {
            row[d] += shape.noise * axis_scale * normal(random);
            set.values[r * shape.dim + d] = static_cast<float>(row[d]);
        }
    }
    return set;
}

VectorSet isotropic(size_t rows, size_t dim, uint64_t seed) {
    Random random(seed);
    VectorSet set{dim, std::vector<float>(rows * dim)};
    for (float& value : set.values) value = static_cast<float>(normal(random));
    return set;
}

VectorSet duplicated(size_t rows, size_t dim, size_t distinct, uint64_t seed) {
    check_always(distinct > 0);
    const VectorSet originals = isotropic(distinct, dim, seed);
    Random random(seed + 1);
    VectorSet set{dim, {}};
    for (size_t r = 0; r < rows; r++) {
        const auto original = originals.row(random.below(distinct));
        set.values.insert(set.values.end(), original.begin(), original.end());
    }
    return set;
}

VectorSet constant(size_t rows, size_t dim, float value) {
    return {dim, std::vector<float>(rows * dim, value)};
}

VectorSet scaled(VectorSet set, float factor) {
    for (float& value : set.values) value *= factor;
    return set;
}

double exact_distance(std::span<const float> a, std::span<const float> b, Distance distance) {
    check_always(a.size() == b.size());
    double product = 0, norm_a = 0, norm_b = 0, squares = 0;
    for (size_t d = 0; d < a.size(); d++) {
        const double x = a[d], y = b[d];
        product += x * y;
        norm_a += x * x;
        norm_b += y * y;
        squares += (x - y) * (x - y);
    }
    if (distance == Distance::l2) return squares;
    if (distance == Distance::inner_product) return -product;
    if (norm_a == 0 || norm_b == 0) return std::numeric_limits<double>::infinity();
    return 1.0 - product / std::sqrt(norm_a) / std::sqrt(norm_b);
}

std::vector<Neighbour> exact_top_k(const VectorSet& set, std::span<const float> query, size_t k,
                                   Distance distance) {
    std::vector<Neighbour> neighbours(set.rows());
    for (uint32_t r = 0; r < neighbours.size(); r++) {
        neighbours[r] = {r, exact_distance(set.row(r), query, distance)};
    }
    const auto is_nearer = [](const Neighbour& a, const Neighbour& b) {
        return a.distance != b.distance ? a.distance < b.distance : a.row < b.row;
    };
    k = std::min(k, neighbours.size());
    std::partial_sort(neighbours.begin(), neighbours.begin() + k, neighbours.end(), is_nearer);
    neighbours.resize(k);
    return neighbours;
}

double recall(const VectorSet& set, std::span<const float> query, Distance distance,
              std::span<const Neighbour> exact, std::span<const uint32_t> found) {
    if (exact.empty()) return 1.0;
    const double farthest = exact.back().distance;
    std::unordered_set<uint32_t> hits;
    for (const uint32_t row : found.first(std::min(found.size(), exact.size()))) {
        check_always(row < set.rows());
        if (exact_distance(set.row(row), query, distance) <= farthest) hits.insert(row);
    }
    return static_cast<double>(hits.size()) / static_cast<double>(exact.size());
}

}  // namespace pagoda::test

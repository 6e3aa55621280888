// The promises of the estimator, measured: no bias over rotations, errors as large as predicted,
// and lower bounds that hold as often as a normal distribution says, also after everything was
// rounded for storage (half-precision factors, kappa * s, 7-bit tables, 12-bit queries).
//
// z = (estimate - true value) / predicted standard deviation.
#include <gtest/gtest.h>

#include <cstring>

#include "core/rabitq/estimate.h"
#include "core/simd/half_bits.h"
#include "test/unit/rabitq/support.h"

namespace pagoda::rabitq {
namespace {

using test::dot;
using test::gaussian;
using test::Moments;
using test::OwnedRotation;
using test::Vector;

enum class Shape { raw, normalised };

// Rows of one list and queries, in data space and in work space. Dimensions differ in spread, the
// mean is far from zero, queries are near the list but not of it.
struct Scene {
    size_t padded_dim;
    Vector mean, rotated_mean, centroid;
    std::vector<Vector> rows, queries;  // data space
    std::vector<Vector> z, w;           // work space

    Scene(size_t dim, uint64_t seed, Shape shape, size_t row_count, size_t query_count)
        : padded_dim(padded_dimension(dim)) {
        Random random(seed);
        const OwnedRotation rotation(padded_dim, random.next());
        Vector spread(dim);
        for (size_t i = 0; i < dim; ++i) {
            spread[i] = static_cast<float>(
                1 / std::sqrt(1 + 20.0 * static_cast<double>(i) / static_cast<double>(dim)));
        }
        const auto draw = [&](const Vector& around, double size) {
            Vector v = around;
            for (size_t i = 0; i < dim; ++i) {
                v[i] += static_cast<float>(gaussian(random) * size * spread[i]);
            }
            return v;
        };
        mean = draw(Vector(dim, 0.5f), 1);
        const Vector center = draw(mean, 1);
        for (size_t i = 0; i < row_count; ++i) rows.push_back(draw(center, 0.7 + random.unit()));
        for (size_t i = 0; i < query_count; ++i) queries.push_back(draw(center, 1));
        if (shape == Shape::normalised) {
            for (Vector& x : rows) test::normalise(x);
            for (Vector& x : queries) test::normalise(x);
            test::normalise(mean);
        }
        for (const Vector& x : rows) z.push_back(rotation(test::minus(x, mean)));
        for (const Vector& x : queries) w.push_back(rotation(test::minus(x, mean)));
        rotated_mean = rotation(mean);
        store_centroid();
    }

    // The mean of the rows, as pages hold it: in half precision.
    void store_centroid() {
        centroid.assign(padded_dim, 0.0f);
        for (size_t i = 0; i < padded_dim; ++i) {
            double sum = 0;
            for (const Vector& row : z) sum += row[i];
            const auto value = static_cast<float>(sum / static_cast<double>(z.size()));
            centroid[i] = simd::f32_from_f16(simd::f16_from_f32(value));
        }
    }

    EncodeInput input(Metric metric, size_t row) const {
        return {metric, z[row], centroid, rotated_mean};
    }
    double truth(Metric metric, size_t row, size_t query) const {
        return metric == Metric::l2 ? test::distance2(rows[row], queries[query])
                                    : -dot(rows[row], queries[query]);
    }
};

double weight_of(Metric metric) {
    return metric == Metric::l2 ? 2 : 1;
}

// z of level 0 with exact factors and exact <y, w>.
void add_sign_errors(const Scene& scene, Metric metric, Moments& moments) {
    const double weight = weight_of(metric);
    std::vector<uint8_t> bits(scene.padded_dim / 8);
    std::vector<double> distance2, base;
    for (size_t j = 0; j < scene.queries.size(); ++j) {
        distance2.push_back(test::distance2(scene.w[j], scene.centroid));
        base.push_back(metric == Metric::l2
                           ? distance2[j]
                           : -dot(scene.mean, scene.queries[j]) - dot(scene.centroid, scene.w[j]));
    }
    for (size_t i = 0; i < scene.rows.size(); ++i) {
        const SignCode code = encode_signs(scene.input(metric, i), bits);
        for (size_t j = 0; j < scene.queries.size(); ++j) {
            const double ip = sign_code_dot(bits, scene.w[j]);
            const double estimate = code.factors.add + base[j] - weight * code.factors.scale * ip;
            const double error = weight * code.error * std::sqrt(distance2[j]);
            moments.add((estimate - scene.truth(metric, i, j)) / error);
        }
    }
}

struct LevelErrors {
    Moments z;
    size_t covered[3] = {};  // true values above the bounds of 1.9, 1.5, 1.0
};

constexpr double epsilons[3] = {1.9, 1.5, 1.0};
constexpr double normal_coverage[3] = {0.9713, 0.9332, 0.8413};

// Level 1 as stored: f32 factors, 12-bit query, the error by kappa in the bounds. z is taken from
// the vector's own error and the exact part of w across z.
void add_level_errors(const Scene& scene, Metric metric, uint32_t refine_bits,
                      LevelErrors& errors) {
    const size_t dim = scene.padded_dim;
    std::vector<uint8_t> bits(dim / 8);
    std::vector<std::vector<uint8_t>> codes;
    std::vector<LevelCode> levels;
    std::vector<double> norms2;
    for (size_t i = 0; i < scene.rows.size(); ++i) {
        const EncodeInput input = scene.input(metric, i);
        codes.emplace_back(level_code_bytes(dim, refine_bits));
        const SignCode signs = encode_signs(input, bits);
        levels.push_back(encode_levels(input, signs, refine_bits, codes.back()));
        norms2.push_back(signs.norm2);
    }
    std::vector<int16_t> values(dim);
    const auto kappa = static_cast<float>(error_per_scale(dim, refine_bits));
    for (size_t j = 0; j < scene.queries.size(); ++j) {
        const LevelQuery query = quantize_query(scene.w[j], values);
        const double norm2 = dot(scene.w[j], scene.w[j]);
        const auto mean_term = static_cast<float>(dot(scene.mean, scene.queries[j]));
        const LevelTerms terms = level_terms(
            {metric, dim, refine_bits, kappa, static_cast<float>(norm2), mean_term, query.step});
        for (size_t i = 0; i < scene.rows.size(); ++i) {
            const Estimate estimate =
                level_estimate(terms, static_cast<float>(levels[i].factors.add),
                               static_cast<float>(levels[i].factors.scale),
                               level_dot(query, values, codes[i], refine_bits));
            const double truth = scene.truth(metric, i, j);
            const double along = dot(scene.z[i], scene.w[j]);
            const double across2 = norm2 - along * along / norms2[i];
            const double error = weight_of(metric) * levels[i].error * std::sqrt(across2);
            errors.z.add((estimate.value - truth) / error);
            for (int e = 0; e < 3; ++e) {
                errors.covered[e] += truth >= estimate.value - epsilons[e] * estimate.error;
            }
        }
    }
}

// Counts the true values above the bounds that the group filter computes from stored bytes.
size_t count_covered(const Scene& scene, Metric metric, size_t covered[3]) {
    const size_t dim = scene.padded_dim;
    std::vector<uint8_t> bits(dim / 8), table(lookup_bytes(dim));
    size_t total = 0;
    for (size_t first = 0; first < scene.rows.size(); first += group_lanes) {
        const size_t count = std::min(group_lanes, scene.rows.size() - first);
        std::vector<std::byte> group(group_bytes(dim));
        clear_group(group, dim);
        std::vector<double> adds, scales;
        for (size_t lane = 0; lane < count; ++lane) {
            const SignCode code = encode_signs(scene.input(metric, first + lane), bits);
            put_code(group, dim, lane, bits);
            adds.push_back(code.factors.add);
            scales.push_back(code.factors.scale);
        }
        store_factors(group, dim, adds, scales);
        uint16_t add[32], s[32];
        std::memcpy(add, group.data() + add_offset(dim), sizeof add);
        std::memcpy(s, group.data() + scale_offset(dim), sizeof s);
        for (size_t j = 0; j < scene.queries.size(); ++j) {
            const auto distance2 = static_cast<float>(test::distance2(scene.w[j], scene.centroid));
            const auto mean_term = static_cast<float>(dot(scene.mean, scene.queries[j]));
            const auto center_term = static_cast<float>(dot(scene.centroid, scene.w[j]));
            const LookupTable lookup = build_lookup(scene.w[j], table);
            const ListTerms list = metric == Metric::l2
                                       ? l2_terms(distance2)
                                       : inner_product_terms(distance2, mean_term, center_term);
            uint32_t acc[32] = {};
            accumulate(group.data(), table.data(), group_rows(dim), acc);
            double truth[32];
            for (size_t i = 0; i < count; ++i) truth[i] = scene.truth(metric, first + i, j);
            for (int e = 0; e < 3; ++e) {
                const double width = epsilons[e] * error_per_scale(dim, 1);
                const FilterInput input{
                    metric, lookup, list, static_cast<float>(width), load_exponents(group, dim), 0};
                const auto args = filter_args(input);
                float lower[32], estimate[32];
                simd::kernels().filter(acc, add, s, &args, lower, estimate);
                for (size_t i = 0; i < count; ++i) covered[e] += truth[i] >= lower[i] ? 1 : 0;
            }
            total += count;
        }
    }
    return total;
}

constexpr size_t all_dims[] = {64, 100, 128, 256, 768, 1024, 1536, 2000};

TEST(Estimator, is_unbiased_over_rotations_for_sparse_and_dense_pairs) {
    constexpr size_t dim = 112, seeds = 400, pairs = 100;
    Random random(701);
    std::vector<Vector> rows, queries;
    for (size_t i = 0; i < pairs; ++i) {
        rows.push_back(test::gaussian_vector(random, dim));
        queries.push_back(test::gaussian_vector(random, dim));
        for (size_t d = 0; i % 2 == 0 && d < dim; ++d) {
            if (d % 32 != i % 32) rows.back()[d] = 0;
        }
        // Partly the row itself, so that a shrunken code would show.
        for (size_t d = 0; d < dim; ++d) queries.back()[d] += rows.back()[d];
    }
    const Vector zero(dim, 0.0f);
    Moments signs, four, eight;
    for (uint64_t seed = 0; seed < seeds; ++seed) {
        const OwnedRotation rotation(dim, 1000 + seed);
        for (size_t i = 0; i < pairs; ++i) {
            const Vector z = rotation(rows[i]), v = rotation(queries[i]);
            const EncodeInput input{Metric::l2, z, zero, {}};
            const double truth = dot(rows[i], queries[i]), norm = std::sqrt(dot(v, v));
            std::vector<uint8_t> bits(dim / 8), code(dim);
            const SignCode sign = encode_signs(input, bits);
            signs.add((sign.factors.scale * sign_code_dot(bits, v) - truth) / sign.error / norm);
            for (uint32_t refine_bits : {4u, 8u}) {
                const std::span<uint8_t> part(code.data(), level_code_bytes(dim, refine_bits));
                const LevelCode level = encode_levels(input, sign, refine_bits, part);
                const double given = level.factors.scale * level_code_dot(part, refine_bits, v);
                (refine_bits == 4 ? four : eight).add((given - truth) / level.error / norm);
            }
        }
    }
    const double limit = 4 / std::sqrt(static_cast<double>(signs.count));
    EXPECT_LT(std::fabs(signs.mean()), limit);
    EXPECT_LT(std::fabs(four.mean()), limit);
    EXPECT_LT(std::fabs(eight.mean()), limit);
}

TEST(Estimator, is_unbiased_over_a_million_pairs_of_one_rotation) {
    const Scene scene(64, 702, Shape::raw, 1000, 1000);
    for (Metric metric : {Metric::l2, Metric::inner_product}) {
        Moments moments;
        add_sign_errors(scene, metric, moments);
        EXPECT_EQ(moments.count, 1000000u);
        EXPECT_LT(std::fabs(moments.mean()), 0.02);
    }
}

TEST(Estimator, sign_code_errors_are_as_large_as_predicted) {
    for (size_t dim : all_dims) {
        for (Shape shape : {Shape::raw, Shape::normalised}) {
            const Scene scene(dim, 703 + dim, shape, 80, 80);
            for (Metric metric : {Metric::l2, Metric::inner_product}) {
                Moments moments;
                add_sign_errors(scene, metric, moments);
                EXPECT_NEAR(moments.deviation(), 1, dim <= 128 ? 0.06 : 0.03)
                    << dim << " " << static_cast<int>(metric) << " " << static_cast<int>(shape);
            }
        }
    }
}

TEST(Estimator, few_dimensions_padded_to_64_keep_their_error_bound) {
    for (size_t dim : {2, 3, 8, 20, 40}) {
        const Scene scene(dim, 704 + dim, Shape::raw, 200, 200);
        Moments moments;
        add_sign_errors(scene, Metric::l2, moments);
        EXPECT_LT(moments.deviation(), 1.25) << dim;
        EXPECT_GT(moments.deviation(), 0.6) << dim;
    }
}

// Rows and queries of a scene share a direction, so the pairs of one row are not independent; many
// rows of many scenes with few queries each are pooled.
TEST(Estimator, level_code_errors_are_as_large_as_predicted_and_bounds_hold) {
    constexpr uint64_t scenes = 40;
    for (size_t dim : all_dims) {
        LevelErrors errors[2][2];
        for (uint64_t s = 0; s < scenes; ++s) {
            const Shape shape = s % 2 == 0 ? Shape::raw : Shape::normalised;
            const Scene scene(dim, 705 + dim + 1000 * s, shape, 40, 6);
            for (int i = 0; i < 4; ++i) {
                const Metric metric = i / 2 == 0 ? Metric::l2 : Metric::inner_product;
                add_level_errors(scene, metric, i % 2 == 0 ? 4 : 8, errors[i / 2][i % 2]);
            }
        }
        for (int i = 0; i < 4; ++i) {
            const LevelErrors& pooled = errors[i / 2][i % 2];
            const auto count = static_cast<double>(pooled.z.count);
            EXPECT_NEAR(pooled.z.deviation(), 1, dim <= 128 ? 0.06 : 0.03) << dim << " " << i;
            for (int e = 0; e < 3; ++e) {
                EXPECT_NEAR(static_cast<double>(pooled.covered[e]) / count, normal_coverage[e],
                            dim >= 256 ? 0.012 : 0.018)
                    << dim << " " << i << " " << epsilons[e];
            }
        }
    }
}

TEST(Estimator, stored_lower_bounds_hold_as_often_as_a_normal_distribution_says) {
    for (size_t dim : all_dims) {
        const double limit = dim >= 256 ? 0.006 : 0.012;
        for (Metric metric : {Metric::l2, Metric::inner_product}) {
            size_t covered[3] = {}, total = 0;
            for (uint64_t s = 0; s < 4; ++s) {
                const Shape shape = s % 2 == 0 ? Shape::raw : Shape::normalised;
                const Scene scene(dim, 706 + dim + 1000 * s, shape, 96, 96);
                total += count_covered(scene, metric, covered);
            }
            for (int e = 0; e < 3; ++e) {
                const double share = static_cast<double>(covered[e]) / static_cast<double>(total);
                EXPECT_NEAR(share, normal_coverage[e], limit)
                    << dim << " " << static_cast<int>(metric) << " " << epsilons[e];
            }
        }
    }
}

}  // namespace
}  // namespace pagoda::rabitq

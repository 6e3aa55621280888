// Query preparation and estimates, see estimate.h and README.md.
#include "core/rabitq/estimate.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "core/base/check.h"

namespace pagoda::rabitq {
namespace {

constexpr float entry_max = 127;
constexpr int32_t integer_max = 2047;
// Smaller queries count as zero, so that the inverse of a step is a finite f32.
constexpr float query_min = 1e-35f;

// L2 takes twice the inner product, IP takes it once.
float dot_weight(Metric metric) {
    return metric == Metric::l2 ? 2.0f : 1.0f;
}

// The integer nearest to a value of magnitude below 2^22: added to 1.5 * 2^23, it ends up in the
// low bits of the sum. Without a branch, and defined (though senseless) for NaN.
int32_t nearest_integer(float value) {
    constexpr float shift = 0x1.8p23f;
    return std::bit_cast<int32_t>(value + shift) - std::bit_cast<int32_t>(shift);
}

// Four independent maxima, because one chain of comparisons takes longer than all the rest.
float largest_magnitude(std::span<const float> w) {
    float largest[4] = {0, 0, 0, 0};
    size_t i = 0;
    for (; i + 4 <= w.size(); i += 4) {
        for (size_t j = 0; j < 4; ++j) largest[j] = std::max(largest[j], std::fabs(w[i + j]));
    }
    for (; i < w.size(); ++i) largest[0] = std::max(largest[0], std::fabs(w[i]));
    return std::max(std::max(largest[0], largest[1]), std::max(largest[2], largest[3]));
}

}  // namespace

LookupTable build_lookup(std::span<const float> w, std::span<uint8_t> table) {
    check(w.size() % group_row_dims == 0);
    check(table.size() == lookup_bytes(w.size()));
    // A row's entries reach from -row_sum / 2 to row_sum / 2.
    double sum = 0;
    float row_max = 0;
    for (size_t i = 0; i < w.size(); i += group_row_dims) {
        const float row_sum =
            (std::fabs(w[i]) + std::fabs(w[i + 1])) + (std::fabs(w[i + 2]) + std::fabs(w[i + 3]));
        row_max = std::max(row_max, row_sum);
        sum += double{row_sum};
    }
    if (!(row_max > query_min) || !std::isfinite(row_max)) {
        std::memset(table.data(), 0, table.size());
        return {};
    }
    const size_t rows = group_rows(w.size());
    simd::kernels().lookup(w.data(), rows, entry_max / row_max, table.data());
    return {row_max / entry_max, static_cast<float>(-sum / 2)};
}

void accumulate(const std::byte* codes, const uint8_t* table, size_t row_count, uint32_t acc[32]) {
    const simd::Kernels& k = simd::kernels();
    const auto* bytes = reinterpret_cast<const uint8_t*>(codes);
    while (row_count > 0) {
        const size_t rows = std::min(row_count, simd::fastscan_rows_max);
        uint16_t part[32] = {};
        k.fastscan(bytes, table, rows, part);
        for (size_t lane = 0; lane < 32; ++lane) acc[lane] += part[lane];
        bytes += rows * group_row_bytes;
        table += rows * 16;
        row_count -= rows;
    }
}

ListTerms l2_terms(float distance2) {
    return {distance2, std::sqrt(distance2)};
}

ListTerms inner_product_terms(float distance2, float mean_dot_query, float centroid_dot_w) {
    return {-mean_dot_query - centroid_dot_w, std::sqrt(distance2)};
}

simd::Kernels::FilterArgs filter_args(const FilterInput& input) {
    const float weight = dot_weight(input.metric);
    simd::Kernels::FilterArgs args{};
    args.add_unit = unit_of(input.exponents.add);
    args.s_unit = unit_of(input.exponents.scale);
    args.base = input.list.base;
    args.slope = -weight;
    args.width = weight * input.epsilon_kappa * input.list.distance;
    args.step = input.table.step;
    args.offset = input.table.offset;
    args.threshold = input.threshold;
    return args;
}

LevelQuery quantize_query(std::span<const float> w, std::span<int16_t> values) {
    check(values.size() == w.size());
    const float largest = largest_magnitude(w);
    if (!(largest > query_min) || !std::isfinite(largest)) {
        std::fill(values.begin(), values.end(), int16_t{0});
        return {};
    }
    const float inverse = static_cast<float>(integer_max) / largest;
    int64_t sum = 0;
    for (size_t i = 0; i < w.size(); ++i) {
        const int32_t nearest =
            std::clamp(nearest_integer(w[i] * inverse), -integer_max, integer_max);
        values[i] = static_cast<int16_t>(nearest);
        sum += nearest;
    }
    return {largest / static_cast<float>(integer_max), sum};
}

double level_dot(const LevelQuery& query, std::span<const int16_t> values,
                 std::span<const uint8_t> code, uint32_t refine_bits) {
    check(refine_bits == 8 || refine_bits == 4);
    check(code.size() == level_code_bytes(values.size(), refine_bits));
    const simd::Kernels& k = simd::kernels();
    const auto dot = refine_bits == 8 ? k.dot_u8_i16 : k.dot_u4_i16;
    const int64_t raw = dot(code.data(), values.data(), values.size());
    // Codes are 0 .. 2^bits - 1; twice the centred sum is an integer.
    const int64_t twice = 2 * raw - ((int64_t{1} << refine_bits) - 1) * query.sum;
    return double{query.step} * 0.5 * static_cast<double>(twice);
}

LevelTerms level_terms(const LevelTermsInput& input) {
    const bool is_l2 = input.metric == Metric::l2;
    const double norm = level_code_norm(input.padded_dim, input.refine_bits);
    const double step = input.query_step;
    LevelTerms terms{};
    terms.metric = input.metric;
    terms.base = is_l2 ? input.query_norm2 : -input.mean_dot_query;
    terms.query_norm2 = input.query_norm2;
    terms.inverse_norm2 = 1 / (norm * norm);
    terms.code_error2 = double{input.kappa} * double{input.kappa};
    // A rounding error is uniform over one step in each dimension and weighted by y.
    terms.query_error2 = norm * norm * step * step / 12;
    return terms;
}

Estimate level_estimate(const LevelTerms& terms, float add, float scale, double dot) {
    const double weighted_scale = double{dot_weight(terms.metric)} * double{scale};
    const double value = double{add} + double{terms.base} - weighted_scale * dot;
    // |z| = s |y| up to the cosine of code and vector, so <z, w> / |z| is dot / |y|.
    const double across2 = std::max(terms.query_norm2 - dot * dot * terms.inverse_norm2, 0.0);
    const double deviation = std::sqrt(terms.code_error2 * across2 + terms.query_error2);
    return {static_cast<float>(value), static_cast<float>(weighted_scale * deviation)};
}

}  // namespace pagoda::rabitq

// The query side of codes (RaBitQ; formulas in README.md). w is the rotated difference of the query
// from the mean, made once a query; everything of a list enters by two numbers of its centroid c.
//
// Level 0: <y, w> = step * acc + offset, where acc sums table entries (FastScan). Level 1: the
// query as 12-bit integers. Estimates are of |x - q|^2 (L2) or -<x, q> (IP), smaller is nearer;
// they may be slightly negative for L2.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "core/rabitq/encode.h"
#include "core/rabitq/group.h"
#include "core/simd/kernels.h"

namespace pagoda::rabitq {

// --- level 0

struct LookupTable {
    float step = 0;
    float offset = 0;
};

constexpr size_t lookup_bytes(size_t padded_dim) {
    return group_rows(padded_dim) * 16;
}

// Fills `table` (lookup_bytes(w.size()) bytes of 0..127). A query of zeros, or of components below
// 1e-35, has step 0 and an all-zero table. Components must be finite.
LookupTable build_lookup(std::span<const float> w, std::span<uint8_t> table);

// Adds the table entries of `row_count` rows to acc, for a group whose rows come in several pieces:
// `codes` are row_count * 16 bytes, `table` the part of the lookup table for the same rows.
void accumulate(const std::byte* codes, const uint8_t* table, size_t row_count, uint32_t acc[32]);

// The numbers of one list for one query.
struct ListTerms {
    float base;      // g_add
    float distance;  // |w - c|
};

// L2: base |w - c|^2. IP: base -<mean, q> - <c, w>.
ListTerms l2_terms(float distance2);
ListTerms inner_product_terms(float distance2, float mean_dot_query, float centroid_dot_w);

// Arguments of the filter kernel for one group: bounds are estimate - epsilon standard deviations.
// `kappa` is error_per_scale(padded_dim, 1) or what the index stores.
struct FilterInput {
    Metric metric;
    LookupTable table;
    ListTerms list;
    float epsilon_kappa;  // epsilon * kappa
    Exponents exponents;
    float threshold;
};
simd::Kernels::FilterArgs filter_args(const FilterInput& input);

// --- level 1

struct LevelQuery {
    float step = 0;
    int64_t sum = 0;  // of the integers
};

// Fills `values` (w.size()) with integers of magnitude <= 2047, w ~ step * value. Zeros, or
// components below 1e-35, give step 0. Components must be finite.
LevelQuery quantize_query(std::span<const float> w, std::span<int16_t> values);

// <y, w> of a level-1 code and the quantised query.
double level_dot(const LevelQuery& query, std::span<const int16_t> values,
                 std::span<const uint8_t> code, uint32_t refine_bits);

struct Estimate {
    float value;
    float error;  // standard deviation
};

// What the level-1 estimate needs of the query, made once a query.
struct LevelTerms {
    Metric metric;
    float base;            // |w|^2 (L2) or -<mean, q> (IP)
    double query_norm2;    // |w|^2
    double inverse_norm2;  // 1 / |y|^2, of a typical code
    double code_error2;    // kappa^2: variance per s^2 and |v|^2 that the code causes
    double query_error2;   // variance per s^2 that rounding the query causes
};

struct LevelTermsInput {
    Metric metric;
    size_t padded_dim;
    uint32_t refine_bits;
    float kappa;           // error_per_scale(padded_dim, refine_bits) or what the index stores
    float query_norm2;     // |w|^2
    float mean_dot_query;  // <mean, q>; IP only
    float query_step;      // of quantize_query()
};
LevelTerms level_terms(const LevelTermsInput& input);

// `dot` is level_dot(); add and scale are the record's factors. The code's error lies across z, so
// its deviation is taken from the part of w across z: for near rows, which point the same way as
// the query, that is much less than |w|.
Estimate level_estimate(const LevelTerms& terms, float add, float scale, double dot);

}  // namespace pagoda::rabitq

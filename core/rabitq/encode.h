// Codes of vectors (RaBitQ; formulas in README.md). All vectors are in work space: z is the rotated
// difference of a row from the mean, c the list's centroid as it is stored. Level 0 codes r = z - c
// by its signs, level 1 codes z itself by 8 or 4 bits a dimension.
//
// With a code y, s = |r|^2 / <r,y> makes s <y,v> an unbiased estimate of <r,v> for every v that
// does not depend on the rotation, with standard deviation |v| * e.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace pagoda::rabitq {

// Cosine distance is L2 on normalised vectors.
enum class Metric : uint8_t { l2, inner_product };

// What the estimate needs beside the code.
struct Factors {
    double add = 0;    // f_add
    double scale = 0;  // s, >= 0
};

// The spaces of a vector to be coded; spans have padded_dim floats each.
struct EncodeInput {
    Metric metric;
    std::span<const float> z;
    std::span<const float> centroid;
    std::span<const float> rotated_mean;  // R(mean), rotated without any centring; IP only
};

struct SignCode {
    Factors factors;
    double residual_norm2;  // |r|^2
    double norm2;           // |z|^2
    double dot_mean;        // <z, R(mean)>, 0 for L2
    double error;           // e, std of <r,v> per |v|
};

// Level 0. `bits` receives padded_dim / 8 bytes, dimension order, bit set where r >= 0. r = 0 gives
// bits 0 and s = 0: the estimate is then exact. Components may be anything; the factors are not
// finite when a component is not, or are too large to store: see codable().
SignCode encode_signs(const EncodeInput& input, std::span<uint8_t> bits);

struct LevelCode {
    Factors factors;
    double error;  // e, std of <z,v> per |v|
};

// Level 1 with refine_bits 8 or 4; `sign_code` is what encode_signs gave for the same input. `code`
// receives level_code_bytes(padded_dim, refine_bits). Too small a z (below 1e-32) counts as zero:
// s = 0 and the code of the smallest magnitudes.
LevelCode encode_levels(const EncodeInput& input, const SignCode& sign_code, uint32_t refine_bits,
                        std::span<uint8_t> code);

constexpr size_t level_code_bytes(size_t padded_dim, uint32_t refine_bits) {
    return padded_dim * refine_bits / 8;
}

// Whether factors are finite and within what groups (group.h) and f32 records can hold. A row with
// other factors belongs to the outlier list.
bool codable(const Factors& factors);

// The factor t of level 1: magnitudes are floor(t |z_i| / |z|). Near the best cosine between z and
// its code on average; a fit of the measured optimum, within 1 % of the least squared error.
double level_factor(size_t padded_dim, uint32_t refine_bits);

// |y| of a typical level-1 code: t, less what clipping takes off.
double level_code_norm(size_t padded_dim, uint32_t refine_bits);

// kappa: the mean of e / s over vectors, so that e of a stored code is about kappa * s. refine_bits
// is 1 for level 0, else 4 or 8. Its spread over vectors is about 0.5 / sqrt(padded_dim).
double error_per_scale(size_t padded_dim, uint32_t bits);

// <y, v> of packed sign bits (y = +-1/2) and of level codes (y = code - (2^bits - 1) / 2), in f64.
double sign_code_dot(std::span<const uint8_t> bits, std::span<const float> v);
double level_code_dot(std::span<const uint8_t> code, uint32_t refine_bits,
                      std::span<const float> v);

}  // namespace pagoda::rabitq

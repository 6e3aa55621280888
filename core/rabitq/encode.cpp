// Encoding, see encode.h and README.md. The sums over dimensions are kernels; here is what follows
// from them, in f64.
#include "core/rabitq/encode.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/base/check.h"
#include "core/rabitq/group.h"
#include "core/simd/kernels.h"

namespace pagoda::rabitq {
namespace {

// e = |r| sqrt((1/a^2 - 1) / (D - 1)) with a the cosine of r and y. Rounding may bring a above 1,
// and a single dimension has no error.
double error_of(double norm2, double dot_code, double code_norm2, size_t dim) {
    if (norm2 <= 0 || dim < 2) return 0;
    const double inverse_cosine2 = norm2 / dot_code * (code_norm2 / dot_code);
    const double excess = std::max(inverse_cosine2 - 1, 0.0);
    return std::sqrt(norm2 * excess / static_cast<double>(dim - 1));
}

// Below this norm t / |z| is not a finite f32.
constexpr double norm_min = 1e-32;

}  // namespace

SignCode encode_signs(const EncodeInput& input, std::span<uint8_t> bits) {
    const size_t dim = input.z.size();
    check(dim % 8 == 0 && input.centroid.size() == dim && bits.size() == dim / 8);
    const bool is_l2 = input.metric == Metric::l2;
    check(is_l2 || input.rotated_mean.size() == dim);
    simd::Kernels::ResidualSums sums;
    const float* mean = is_l2 ? nullptr : input.rotated_mean.data();
    simd::kernels().residual_sums(input.z.data(), input.centroid.data(), mean, dim, bits.data(),
                                  &sums);
    SignCode code{};
    code.residual_norm2 = sums.norm2;
    code.norm2 = sums.z_norm2;
    code.dot_mean = sums.z_dot_m;
    double sign_term = 0;  // s <y, c>
    if (sums.norm2 == 0) {
        std::fill(bits.begin(), bits.end(), uint8_t{0});
    } else {
        const double dot_code = sums.absolute / 2;
        code.factors.scale = sums.norm2 / dot_code;
        code.error = error_of(sums.norm2, dot_code, static_cast<double>(dim) / 4, dim);
        sign_term = code.factors.scale * sums.sign_dot_c / 2;
    }
    code.factors.add = is_l2 ? sums.norm2 + 2 * sign_term : sign_term - sums.z_dot_m - sums.dot_c;
    return code;
}

LevelCode encode_levels(const EncodeInput& input, const SignCode& sign_code, uint32_t refine_bits,
                        std::span<uint8_t> code) {
    const size_t dim = input.z.size();
    check(refine_bits == 8 || refine_bits == 4);
    check(code.size() == level_code_bytes(dim, refine_bits));
    const double norm = std::sqrt(sign_code.norm2);
    const bool is_tiny = norm < norm_min;
    const double factor = is_tiny ? 0 : level_factor(dim, refine_bits) / norm;
    simd::Kernels::LevelSums sums;
    const auto quantize =
        refine_bits == 8 ? simd::kernels().quantize_u8 : simd::kernels().quantize_u4;
    quantize(input.z.data(), dim, static_cast<float>(factor), code.data(), &sums);
    LevelCode result{};
    result.factors.add = input.metric == Metric::l2 ? sign_code.norm2 : -sign_code.dot_mean;
    if (is_tiny) return result;
    result.factors.scale = sign_code.norm2 / sums.z_dot_y;
    result.error = error_of(sign_code.norm2, sums.z_dot_y, sums.y_norm2, dim);
    return result;
}

bool codable(const Factors& factors) {
    // The negated form also refuses NaN.
    return std::fabs(factors.add) <= factor_max && std::fabs(factors.scale) <= factor_max;
}

double level_factor(size_t padded_dim, uint32_t refine_bits) {
    check(refine_bits == 8 || refine_bits == 4);
    // The step of the best uniform quantiser of a normal variable with 16 or 256 levels, in units
    // of its deviation; a coordinate of a rotated unit vector has deviation 1 / sqrt(D). Few
    // dimensions have shorter tails than the normal and take a finer step; the fit is to measured
    // optima from 64 to 4096 dimensions.
    const auto dim = static_cast<double>(padded_dim);
    const double step = refine_bits == 8 ? 0.0308 : 0.3352;
    const double tail = refine_bits == 8 ? 4.5 : 1.3;
    return std::sqrt(dim) / step * (1 + tail / dim);
}

double level_code_norm(size_t padded_dim, uint32_t refine_bits) {
    return level_factor(padded_dim, refine_bits) * (refine_bits == 8 ? 1.0 : 0.994);
}

double error_per_scale(size_t padded_dim, uint32_t bits) {
    check(bits == 1 || bits == 4 || bits == 8);
    const auto dim = static_cast<double>(padded_dim);
    // Level 0: e / s = |y| sqrt((1 - a^2) / (D - 1)) with |y| = sqrt(D) / 2, and over the sphere
    // the mean of 1 - a^2 is (1 - 2 / pi)(1 - 1 / D): sqrt(1 - 2 / pi) / 2 for every D.
    if (bits == 1) return 0.30140514;
    // Level 1: measured. Rounding alone would give sqrt(1 / 12) = 0.2887, the rest is clipping.
    return bits == 8 ? 0.3000 * (1 - 1.6 / dim) : 0.3190 * (1 - 2.0 / dim);
}

double sign_code_dot(std::span<const uint8_t> bits, std::span<const float> v) {
    check(bits.size() * 8 == v.size());
    double sum = 0;
    for (size_t i = 0; i < v.size(); ++i) {
        sum += (bits[i / 8] >> (i % 8) & 1) != 0 ? double{v[i]} : -double{v[i]};
    }
    return sum / 2;
}

double level_code_dot(std::span<const uint8_t> code, uint32_t refine_bits,
                      std::span<const float> v) {
    check(code.size() == level_code_bytes(v.size(), refine_bits));
    const double center = refine_bits == 8 ? 127.5 : 7.5;
    double sum = 0;
    for (size_t i = 0; i < v.size(); ++i) {
        const int level = refine_bits == 8 ? code[i] : code[i / 2] >> (i % 2 * 4) & 15;
        sum += (level - center) * double{v[i]};
    }
    return sum;
}

}  // namespace pagoda::rabitq

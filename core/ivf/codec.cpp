// Vectors to work space and to codes.
#include "core/ivf/codec.h"

#include <algorithm>
#include <cmath>

#include "core/simd/kernels.h"

namespace pagoda::ivf {

namespace {

// Largest |x| of a row that is coded: sums of squares of such rows stay finite in f32.
constexpr double norm_max = 1e18;

// The same for |z|^2 in work space: a row far beyond the magnitude of the data that the scale was
// chosen for. Lists and level-1 factors stay in range below it.
constexpr float work_norm2_max = 1e30f;

double norm_of(std::span<const float> x) {
    double sum = 0;
    for (float value : x) sum += double{value} * double{value};
    return std::sqrt(sum);
}

}  // namespace

Codec make_codec(const MetaPage& meta, std::span<const float> mean, const Memory& memory) {
    check(mean.size() == meta.dim);
    Codec codec;
    codec.dim = meta.dim;
    codec.padded_dim = meta.padded_dim;
    codec.metric = meta.metric;
    codec.refine_bits = meta.refine_bits;
    codec.work_scale = meta.work_scale;
    codec.kappa1 = meta.kappa1;
    codec.mean = mean;
    const auto signs = memory.zeroed_array<uint8_t>(rabitq::rotation_sign_bytes(meta.padded_dim));
    codec.rotation = rabitq::make_rotation(meta.padded_dim, meta.rotation_seed, signs);
    const auto rotated = memory.zeroed_array<float>(meta.padded_dim);
    for (size_t i = 0; i < mean.size(); i++) rotated[i] = mean[i] * codec.work_scale;
    rabitq::rotate(codec.rotation, rotated);
    codec.rotated_mean = rotated;
    return codec;
}

float choose_work_scale(double norm2, uint32_t padded_dim) {
    if (!(norm2 > 0) || !std::isfinite(norm2)) return 1;
    const int exponent = std::ilogb(norm2 / padded_dim) / 2;
    return std::ldexp(1.0f, -std::clamp(exponent, -100, 100));
}

RowKind normalise(Metric metric, std::span<const float> x, std::span<float> out) {
    check(out.size() == x.size());
    const double norm = norm_of(x);
    if (metric != Metric::cosine) {
        if (!(norm <= norm_max)) {
            std::fill(out.begin(), out.end(), 0.0f);
            return RowKind::too_large;
        }
        std::copy(x.begin(), x.end(), out.begin());
        return RowKind::coded;
    }
    if (norm == 0) {
        std::fill(out.begin(), out.end(), 0.0f);
        return RowKind::zero;
    }
    for (size_t i = 0; i < x.size(); i++) out[i] = static_cast<float>(x[i] / norm);
    return RowKind::coded;
}

bool rotate_row(const Codec& codec, std::span<float> z) {
    check(z.size() == codec.padded_dim);
    for (size_t i = 0; i < codec.dim; i++) z[i] = (z[i] - codec.mean[i]) * codec.work_scale;
    std::fill(z.begin() + codec.dim, z.end(), 0.0f);
    rabitq::rotate(codec.rotation, z);
    return simd::kernels().dot_f32(z.data(), z.data(), z.size()) <= work_norm2_max;
}

RowKind to_work_space(const Codec& codec, std::span<const float> x, std::span<float> z) {
    check(x.size() == codec.dim && z.size() == codec.padded_dim);
    RowKind kind = normalise(codec.metric, x, z.first(codec.dim));
    if (kind == RowKind::coded && !rotate_row(codec, z)) kind = RowKind::too_large;
    if (kind != RowKind::coded) std::fill(z.begin(), z.end(), 0.0f);
    return kind;
}

bool encode_row(const Codec& codec, std::span<const float> z, std::span<const float> c,
                RowCode& code) {
    const rabitq::EncodeInput input = {codec.code_metric(), z, c, codec.rotated_mean};
    const auto signs = rabitq::encode_signs(input, code.signs);
    if (!rabitq::codable(signs.factors)) return false;
    code.add0 = signs.factors.add;
    code.scale0 = signs.factors.scale;
    if (codec.refine_bits == 0) return true;
    const auto levels = rabitq::encode_levels(input, signs, codec.refine_bits, code.fine);
    if (!rabitq::codable(levels.factors)) return false;
    code.add1 = static_cast<float>(levels.factors.add);
    code.scale1 = static_cast<float>(levels.factors.scale);
    return true;
}

}  // namespace pagoda::ivf

// One index's way from vectors to codes: normalisation, mean, rotation, RaBitQ at two levels. The
// build, inserts and searches share it, so that they cannot disagree.
#pragma once

#include <span>

#include "core/base/memory.h"
#include "core/ivf/format.h"
#include "core/rabitq/encode.h"
#include "core/rabitq/rotation.h"

namespace pagoda::ivf {

struct Codec {
    uint32_t dim = 0;
    uint32_t padded_dim = 0;
    Metric metric = Metric::l2;
    uint8_t refine_bits = 8;
    float work_scale = 1;
    float kappa1 = 0;  // error std per scale of level 1
    rabitq::Rotation rotation = {};
    std::span<const float> mean;          // dim
    std::span<const float> rotated_mean;  // padded_dim: work_scale * rotate(mean)

    // Cosine distance is L2 distance of normalised vectors.
    rabitq::Metric code_metric() const {
        return metric == Metric::inner_product ? rabitq::Metric::inner_product : rabitq::Metric::l2;
    }
};

// `mean` (meta.dim floats) must outlive the codec.
Codec make_codec(const MetaPage& meta, std::span<const float> mean, const Memory& memory);

// The power of two that brings the mean of |z|^2 near padded_dim, so that components are near 1 and
// halves hold centroids of data of any magnitude. `norm2` is the mean of |x - mean|^2; 1 for 0.
float choose_work_scale(double norm2, uint32_t padded_dim);

enum class RowKind : uint8_t { coded, too_large, zero };

// x as the metric sees it: normalised for cosine, itself otherwise. `out` has x.size() floats; it
// is zero for a row that is not `coded`.
RowKind normalise(Metric metric, std::span<const float> x, std::span<float> out);

// Writes the work-space form of x (dim floats) to z (padded_dim floats). Rows that are not `coded`
// go to the outlier list.
RowKind to_work_space(const Codec& codec, std::span<const float> x, std::span<float> z);

// The same for a row that is normalised already and stands in z[0 .. dim). False when the row is
// too large for work space.
[[nodiscard]] bool rotate_row(const Codec& codec, std::span<float> z);

// The codes of one row. `signs` and `fine` are memory of the caller.
struct RowCode {
    double add0 = 0, scale0 = 0;
    float add1 = 0, scale1 = 0;
    std::span<uint8_t> signs;  // padded_dim / 8: bit i is 1 when r_i >= 0
    std::span<uint8_t> fine;   // padded_dim * refine_bits / 8
};

// Encodes work-space row z relative to centroid c (level 0) and to the mean (level 1). Returns
// false when a factor cannot be stored: the row is an outlier.
bool encode_row(const Codec& codec, std::span<const float> z, std::span<const float> c,
                RowCode& code);

}  // namespace pagoda::ivf

// What a search needs of its query: the vector in work space, the level-0 lookup table, the 12-bit
// query of level 1, and the terms that do not depend on a row. Formulas: core/rabitq/README.md.
#pragma once

#include <span>

#include "core/base/memory.h"
#include "core/ivf/codec.h"
#include "core/rabitq/estimate.h"

namespace pagoda::ivf {

struct Query {
    std::span<float> w;        // padded_dim: work_scale * rotate(q - mean)
    std::span<float> ranking;  // padded_dim, inner product only: work_scale * rotate(q)
    rabitq::Metric metric = rabitq::Metric::l2;
    float mean_dot = 0;        // work_scale^2 * <mean, q>, inner product only
    std::span<uint8_t> table;  // FastScan lookup table
    rabitq::LookupTable lookup;
    std::span<int16_t> fine;  // padded_dim: level-1 query
    float fine_step = 0;      // <y1, w> = fine_step * dot + fine_offset
    float fine_offset = 0;
    rabitq::LevelTerms level = {};
};

// Prepares `query` for vector `q` (codec.dim floats); an empty span stands for NULL, for which
// every row is equally far. Memory is taken on the first call and used again by later ones.
void prepare_query(const Codec& codec, std::span<const float> q, const Memory& memory,
                   Query& query);

}  // namespace pagoda::ivf

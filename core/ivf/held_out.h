// Rows of the table that serve as queries: drawn by the first scan, their exact nearest rows found
// by the second. The finished index is tried on them to learn how many probes it needs.
#pragma once

#include <span>

#include "core/base/memory.h"
#include "core/base/tid.h"
#include "core/cluster/progress.h"
#include "core/cluster/sample.h"
#include "core/ivf/codec.h"

namespace pagoda::ivf {

// k of the recall that is learnt, and the number of held-out rows: 256 x 10 neighbours put the
// standard error of a recall of 0.95 near 0.006.
inline constexpr uint32_t learnt_k = 10;
inline constexpr uint32_t held_out_rows = 256;

class HeldOut {
  public:
    HeldOut() : reservoir_(held_out_rows, 0) {}

    void take_memory(const Codec& codec_sizes, uint64_t seed, const Memory& memory);

    // First scan: x is normalised (dim floats).
    void offer(std::span<const float> x, Tid tid);

    // After training: queries into work space.
    void prepare(const Codec& codec, const Memory& memory);

    // Second scan: `rows` work-space rows (count x padded_dim).
    void compare(std::span<const float> rows, std::span<const Tid> tids, cluster::Progress poll);

    uint32_t count() const { return static_cast<uint32_t>(reservoir_.filled()); }
    // The vector of query i in the data's space, normalised for cosine (dim floats).
    std::span<const float> vector(uint32_t i) const {
        return vectors_.subspan(size_t{i} * dim_, dim_);
    }
    Tid tid(uint32_t i) const { return tids_[i]; }
    // Its nearest rows but itself, nearest first; fewer than learnt_k in a small table.
    std::span<const Tid> nearest(uint32_t i);

  private:
    struct Near {
        float distance;
        Tid tid;
    };

    void insert(uint32_t query, float distance, Tid tid);

    cluster::Reservoir reservoir_;
    uint32_t dim_ = 0, padded_dim_ = 0;
    bool by_inner_product_ = false;
    std::span<float> vectors_;  // held_out_rows x dim
    std::span<Tid> tids_;
    std::span<float> queries_;   // count x padded_dim: w, or for inner product work_scale * R(q)
    std::span<float> products_;  // tile of rows x queries
    std::span<float> workspace_;
    std::span<Near> near_;  // count x learnt_k, sorted
    std::span<uint32_t> near_counts_;
    Tid sorted_[learnt_k];
};

}  // namespace pagoda::ivf

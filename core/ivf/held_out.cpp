// Exact nearest rows of the held-out queries, by matrix products.
#include "core/ivf/held_out.h"

#include <algorithm>

#include "core/simd/kernels.h"

namespace pagoda::ivf {

namespace {

// Rows a product; with 256 queries of 16,000 dimensions that is 65 M multiply-adds between polls.
constexpr size_t tile_rows = 16;

}  // namespace

void HeldOut::take_memory(const Codec& codec_sizes, uint64_t seed, const Memory& memory) {
    reservoir_ = cluster::Reservoir(held_out_rows, seed);
    dim_ = codec_sizes.dim;
    padded_dim_ = codec_sizes.padded_dim;
    by_inner_product_ = codec_sizes.metric == Metric::inner_product;
    vectors_ = memory.zeroed_array<float>(size_t{held_out_rows} * dim_);
    tids_ = memory.zeroed_array<Tid>(held_out_rows);
}

void HeldOut::offer(std::span<const float> x, Tid tid) {
    const uint64_t slot = reservoir_.offer();
    if (slot == cluster::Reservoir::no_slot) return;
    std::copy(x.begin(), x.end(), vectors_.begin() + static_cast<ptrdiff_t>(slot * dim_));
    tids_[slot] = tid;
}

void HeldOut::prepare(const Codec& codec, const Memory& memory) {
    const size_t queries = std::max<size_t>(count(), 1);
    queries_ = memory.zeroed_array<float>(queries * padded_dim_);
    products_ = memory.zeroed_array<float>(tile_rows * queries);
    workspace_ = memory.zeroed_array<float>(simd::gemm_workspace_floats(padded_dim_));
    near_ = memory.zeroed_array<Near>(queries * learnt_k);
    near_counts_ = memory.zeroed_array<uint32_t>(queries);
    for (uint32_t i = 0; i < count(); i++) {
        const auto w = queries_.subspan(size_t{i} * padded_dim_, padded_dim_);
        std::copy_n(vectors_.begin() + static_cast<ptrdiff_t>(size_t{i} * dim_), dim_, w.begin());
        if (!rotate_row(codec, w)) std::fill(w.begin(), w.end(), 0.0f);
        if (!by_inner_product_) continue;
        for (size_t d = 0; d < padded_dim_; d++) w[d] += codec.rotated_mean[d];
    }
}

void HeldOut::compare(std::span<const float> rows, std::span<const Tid> tids,
                      cluster::Progress poll) {
    if (count() == 0) return;
    const auto& kernels = simd::kernels();
    for (size_t first = 0; first < tids.size(); first += tile_rows) {
        if (poll.poll != nullptr) poll.poll(poll.context);
        const size_t rows_here = std::min(tile_rows, tids.size() - first);
        kernels.gemm(rows.data() + first * padded_dim_, rows_here, queries_.data(), count(),
                     padded_dim_, products_.data(), count(), workspace_.data());
        for (size_t r = 0; r < rows_here; r++) {
            const float* z = rows.data() + (first + r) * padded_dim_;
            const float norm2 = by_inner_product_ ? 0.0f : kernels.dot_f32(z, z, padded_dim_);
            const float weight = by_inner_product_ ? 1.0f : 2.0f;
            for (uint32_t q = 0; q < count(); q++) {
                insert(q, norm2 - weight * products_[r * count() + q], tids[first + r]);
            }
        }
    }
}

void HeldOut::insert(uint32_t query, float distance, Tid tid) {
    Near* nearest = near_.data() + size_t{query} * learnt_k;
    uint32_t& filled = near_counts_[query];
    if (filled == learnt_k && !(distance < nearest[learnt_k - 1].distance)) return;
    if (tid == tids_[query]) return;
    uint32_t at = filled < learnt_k ? filled++ : learnt_k - 1;
    for (; at > 0 && distance < nearest[at - 1].distance; at--) nearest[at] = nearest[at - 1];
    nearest[at] = {distance, tid};
}

std::span<const Tid> HeldOut::nearest(uint32_t i) {
    for (uint32_t n = 0; n < near_counts_[i]; n++) {
        sorted_[n] = near_[size_t{i} * learnt_k + n].tid;
    }
    return {sorted_, near_counts_[i]};
}

}  // namespace pagoda::ivf

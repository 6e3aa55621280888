// Preparing a query: once per search, not per list.
#include "core/ivf/query.h"

#include <algorithm>
#include <cmath>

#include "core/simd/kernels.h"

namespace pagoda::ivf {

namespace {

void take_memory(const Codec& codec, const Memory& memory, Query& query) {
    if (!query.w.empty()) return;
    query.w = memory.zeroed_array<float>(codec.padded_dim);
    query.table = memory.zeroed_array<uint8_t>(rabitq::lookup_bytes(codec.padded_dim));
    query.fine = memory.zeroed_array<int16_t>(codec.padded_dim);
    if (codec.metric == Metric::inner_product) {
        query.ranking = memory.zeroed_array<float>(codec.padded_dim);
    }
}

}  // namespace

void prepare_query(const Codec& codec, std::span<const float> q, const Memory& memory,
                   Query& query) {
    take_memory(codec, memory, query);
    query.mean_dot = 0;
    // NULL, and what has no direction or no finite norm, is treated as the mean: w = 0.
    if (q.empty() || to_work_space(codec, q, query.w) != RowKind::coded) {
        std::fill(query.w.begin(), query.w.end(), 0.0f);
    }
    if (codec.metric == Metric::inner_product) {
        for (size_t i = 0; i < query.w.size(); i++) {
            query.ranking[i] = query.w[i] + codec.rotated_mean[i];
        }
        query.mean_dot = simd::kernels().dot_f32(codec.rotated_mean.data(), query.ranking.data(),
                                                 query.ranking.size());
    }
    query.metric = codec.code_metric();
    query.lookup = rabitq::build_lookup(query.w, query.table);

    const auto level = rabitq::quantize_query(query.w, query.fine);
    const double center = ((1 << codec.refine_bits) - 1) / 2.0;
    query.fine_step = level.step;
    query.fine_offset = static_cast<float>(-center * level.step * static_cast<double>(level.sum));
    const float norm2 = simd::kernels().dot_f32(query.w.data(), query.w.data(), query.w.size());
    if (codec.refine_bits == 0) return;
    rabitq::LevelTermsInput input = {};
    input.metric = codec.code_metric();
    input.padded_dim = codec.padded_dim;
    input.refine_bits = codec.refine_bits;
    input.kappa = codec.kappa1;
    input.query_norm2 = norm2;
    input.mean_dot_query = query.mean_dot;
    input.query_step = level.step;
    query.level = rabitq::level_terms(input);
}

}  // namespace pagoda::ivf

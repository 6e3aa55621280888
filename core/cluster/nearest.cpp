// See nearest.h.
#include "core/cluster/nearest.h"

#include <cmath>
#include <limits>

#include "core/base/check.h"
#include "core/cluster/lanes.h"

namespace pagoda::cluster {

namespace {

// Products of a tile's rows with candidates [begin, end), at most tile_columns of them.
void multiply(const Tile& tile, size_t row_count, size_t dim, const Candidates& candidates,
              size_t begin, size_t end, Pace& pace) {
    simd::kernels().gemm(tile.rows.data(), row_count, candidates.centroids.data() + begin * dim,
                         end - begin, dim, tile.scores.data(), tile_columns, tile.gemm.data());
    pace.spend(row_count * (end - begin) * dim);
}

}  // namespace

float largest_magnitude(std::span<const float> values, Pace& pace) {
    constexpr size_t chunk = size_t{1} << 20;
    check(values.size() % lane_count == 0);
    Lanes largest = {};
    for (size_t begin = 0; begin < values.size(); begin += chunk) {
        const size_t end = std::min(values.size(), begin + chunk);
        for (size_t i = begin; i < end; i += lane_count) {
            const Lanes value = load<Lanes>(values.data() + i);
            const Lanes magnitude = value < 0 ? -value : value;
            largest = largest < magnitude ? magnitude : largest;
        }
        pace.spend(end - begin);
    }
    return std::max({largest[0], largest[1], largest[2], largest[3]});
}

float scale_for(float magnitude) {
    if (magnitude == 0) return 1;
    int exponent = 0;
    std::frexp(magnitude, &exponent);
    return std::ldexp(1.0f, std::clamp(-exponent, -126, 126));
}

void compute_half_norms(const Rows& centroids, const Tile& tile, Pace& pace,
                        std::span<float> half_norms) {
    // The square is taken of the scaled centroid, then one of the two factors is taken out again.
    const float half_unscale = 0.5f / centroids.scale;
    float* scaled = tile.rows.data();
    for (size_t i = 0; i < half_norms.size(); ++i) {
        copy_scaled(centroids.row(i).data(), centroids.scale, centroids.dim, scaled);
        half_norms[i] = half_unscale * simd::kernels().dot_f32(scaled, scaled, centroids.dim);
        pace.spend(2 * centroids.dim);
    }
}

void improve_nearest(const Rows& rows, std::span<const uint32_t> ids, const Candidates& candidates,
                     const Tile& tile, Pace& pace, std::span<float> best,
                     std::span<uint32_t> nearest) {
    const size_t dim = rows.dim;
    const size_t count = candidates.half_norms.size();
    const size_t step = tile_rows(dim);
    for (size_t start = 0; start < ids.size(); start += step) {
        const auto tile_ids = ids.subspan(start, std::min(step, ids.size() - start));
        for (size_t i = 0; i < tile_ids.size(); ++i) {
            copy_scaled(rows.row(tile_ids[i]).data(), rows.scale, dim, tile.rows.data() + i * dim);
        }
        pace.spend(tile_ids.size() * dim);
        for (size_t begin = 0; begin < count; begin += tile_columns) {
            const size_t end = std::min(count, begin + tile_columns);
            multiply(tile, tile_ids.size(), dim, candidates, begin, end, pace);
            for (size_t i = 0; i < tile_ids.size(); ++i) {
                const float* products = tile.scores.data() + i * tile_columns;
                float lowest = best[tile_ids[i]];
                size_t winner = count;
                for (size_t j = begin; j < end; ++j) {
                    const float score = candidates.half_norms[j] - products[j - begin];
                    if (score < lowest) {
                        lowest = score;
                        winner = j;
                    }
                }
                if (winner == count) continue;
                best[tile_ids[i]] = lowest;
                nearest[tile_ids[i]] = candidates.first + static_cast<uint32_t>(winner);
            }
        }
    }
}

namespace {

// Inserts a candidate into the sorted lists of the nearest so far, if it belongs there.
void insert_sorted(float score, uint32_t candidate, std::span<float> best,
                   std::span<uint32_t> nearest) {
    size_t place = best.size() - 1;
    if (!(score < best[place])) return;
    while (place > 0 && score < best[place - 1]) {
        best[place] = best[place - 1];
        nearest[place] = nearest[place - 1];
        --place;
    }
    best[place] = score;
    nearest[place] = candidate;
}

}  // namespace

void find_several(const Rows& rows, const Candidates& candidates, uint32_t several,
                  const Tile& tile, Pace& pace, std::span<float> best,
                  std::span<uint32_t> nearest) {
    const size_t dim = rows.dim;
    const size_t count = candidates.half_norms.size();
    const size_t step = tile_rows(dim);
    check(several > 0 && several <= count);
    for (size_t start = 0; start < rows.count(); start += step) {
        const size_t row_count = std::min(step, rows.count() - start);
        for (size_t i = 0; i < row_count; ++i) {
            copy_scaled(rows.row(start + i).data(), rows.scale, dim, tile.rows.data() + i * dim);
        }
        pace.spend(row_count * dim);
        std::ranges::fill(best, std::numeric_limits<float>::infinity());
        for (size_t begin = 0; begin < count; begin += tile_columns) {
            const size_t end = std::min(count, begin + tile_columns);
            multiply(tile, row_count, dim, candidates, begin, end, pace);
            for (size_t i = 0; i < row_count; ++i) {
                const float* products = tile.scores.data() + i * tile_columns;
                const auto row_best = best.subspan(i * several, several);
                const auto row_nearest = nearest.subspan((start + i) * several, several);
                for (size_t j = begin; j < end; ++j) {
                    insert_sorted(candidates.half_norms[j] - products[j - begin],
                                  candidates.first + static_cast<uint32_t>(j), row_best,
                                  row_nearest);
                }
            }
        }
    }
}

}  // namespace pagoda::cluster

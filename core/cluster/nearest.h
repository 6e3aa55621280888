// The inner step of clustering: nearest centroids of many rows by matrix products. Rows are
// gathered into a tile, multiplied with a block of centroids, and compared by
//
//     score(x, c) = |c|^2 / 2 - <x, c>,      |x - c|^2 = |x|^2 + 2 score(x, c),
//
// so |x|^2 is not needed to find the nearest. Rows are multiplied by a power of two on their way
// into the tile (see scale_for) and half norms by the same factor, so that scores are scaled once
// and not squared: they stay in the range of f32 for magnitudes from 1e-30 to 1e30.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/cluster/progress.h"
#include "core/simd/kernels.h"

namespace pagoda::cluster {

inline constexpr size_t tile_columns = 64;
inline constexpr size_t tile_rows_max = 126;

// Rows of a tile: as many as keep one product within product_work, in sixes because the widest
// kernel takes six rows at a time; at least six, which is 1.5 times the work at 16,384.
constexpr size_t tile_rows(size_t dim) {
    const size_t rows = product_work / (tile_columns * dim);
    return std::clamp<size_t>(rows / 6 * 6, 6, tile_rows_max);
}

// Rows in the caller's memory, row-major; the tile holds scale times what is stored.
struct Rows {
    std::span<const float> values;
    size_t dim = 0;
    float scale = 1;

    size_t count() const { return values.size() / dim; }
    std::span<const float> row(size_t i) const { return values.subspan(i * dim, dim); }
};

// Memory of one tile.
struct Tile {
    std::span<float> rows;    // tile_rows(dim) x dim
    std::span<float> scores;  // tile_rows(dim) x tile_columns
    std::span<float> gemm;    // workspace of the kernel
};

template <class Source>
Tile allocate_tile(Source& source, size_t dim) {
    Tile tile;
    tile.rows = source.template allocate<float>(tile_rows(dim) * dim);
    tile.scores = source.template allocate<float>(tile_rows(dim) * tile_columns);
    tile.gemm = source.template allocate<float>(simd::gemm_workspace_floats(dim));
    return tile;
}

// Some centroids with scale * |c|^2 / 2 of each.
struct Candidates {
    std::span<const float> centroids;   // count x dim, not scaled
    std::span<const float> half_norms;  // count
    uint32_t first = 0;                 // number of the first one, for the results
};

// The largest magnitude among `values` (a multiple of 16 of them), 0 for none.
float largest_magnitude(std::span<const float> values, Pace& pace);

// The power of two that brings `magnitude` into [0.5, 1), kept within [2^-126, 2^126]; 1 for 0.
float scale_for(float magnitude);

// half_norms[i] = scale * |centroid i|^2 / 2 for half_norms.size() centroids of centroids.dim
// floats; uses the tile as scratch.
void compute_half_norms(const Rows& centroids, const Tile& tile, Pace& pace,
                        std::span<float> half_norms);

// Lowers best[id] and sets nearest[id] for each id of `ids` that has a candidate with a smaller
// score than best[id]. Of equal candidates the first wins. Ids number the rows of `rows`.
void improve_nearest(const Rows& rows, std::span<const uint32_t> ids, const Candidates& candidates,
                     const Tile& tile, Pace& pace, std::span<float> best,
                     std::span<uint32_t> nearest);

// For each row: the `several` nearest candidates, nearest first, into several entries of `nearest`
// (rows.count() x several). `best` is workspace of tile_rows(dim) x several. The number of
// candidates is at least `several`.
void find_several(const Rows& rows, const Candidates& candidates, uint32_t several,
                  const Tile& tile, Pace& pace, std::span<float> best, std::span<uint32_t> nearest);

}  // namespace pagoda::cluster

// The inner loop of a search: the level-0 codes of one list against the query's lookup table, rows
// below the threshold into the candidate buffer. Rows of codes are used where they lie on the page.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/ivf/candidates.h"
#include "core/ivf/directory.h"
#include "core/ivf/lanes.h"
#include "core/ivf/query.h"
#include "core/ivf/ranking.h"
#include "core/simd/kernels.h"

namespace pagoda::ivf {

// Groups of 32 rows between two polls, so that a list of any size can be cancelled: 512 groups are
// about 0.1 ms at 768 dimensions and 2 ms at 16,000.
inline constexpr uint32_t groups_a_poll = 512;

template <PageStore S>
class ListScan {
  public:
    // Rows whose TID key is in `excluded` (sorted) are passed over.
    ListScan(S& store, const MetaPage& meta, const Query& query, float epsilon,
             std::span<const uint64_t> excluded, CandidateBuffer& candidates)
        : store_(&store),
          meta_(&meta),
          query_(&query),
          epsilon_(epsilon),
          excluded_(excluded),
          candidates_(&candidates) {}

    // Scans one list, given its entry; no page is locked on entry and on return.
    void scan(const RankedList& ranked, const ListEntry& entry) {
        const Extents extents = read_extents(*store_, *meta_, entry);
        rabitq::FilterInput input = {};
        input.metric = query_->metric;
        input.table = query_->lookup;
        input.list = {ranked.base, ranked.reach};
        input.epsilon_kappa = epsilon_ * meta_->kappa0;
        uint32_t rows_left = entry.used;
        for (const Extent& extent : extents.span()) {
            const uint32_t rows = std::min(rows_left, extent.capacity);
            if (rows == 0) break;
            scan_extent(extent, rows, input);
            rows_left -= rows;
        }
    }

    uint64_t codes() const { return codes_; }

  private:
    void scan_extent(const Extent& extent, uint32_t rows, rabitq::FilterInput& input) {
        Cursor<S> cursor(*store_, meta_->index_id, {extent.block, extent.offset});
        const uint32_t groups = static_cast<uint32_t>(divide_up(rows, lanes));
        for (uint32_t group = 0; group < groups; group++) {
            if (group % groups_a_poll == groups_a_poll - 1) {
                cursor.release();
                store_->poll();
            }
            uint32_t sums[lanes] = {};
            sum_rows(cursor, sums);
            alignas(16) std::byte buffer[block_bytes];
            const FactorBlock block(cursor.whole(sizeof(buffer), buffer));
            filter_group(extent, group, sums, block, input);
        }
        codes_ += rows;
    }

    // Adds the table entries of all rows of 4 dimensions of the group at the cursor.
    void sum_rows(Cursor<S>& cursor, uint32_t sums[lanes]) {
        const size_t bytes = rabitq::group_rows(meta_->padded_dim) * rabitq::group_row_bytes;
        for (size_t done = 0; done < bytes;) {
            const auto piece = cursor.take(bytes - done);
            rabitq::accumulate(piece.data(), query_->table.data() + done,
                               piece.size() / rabitq::group_row_bytes, sums);
            done += piece.size();
        }
    }

    void filter_group(const Extent& extent, uint32_t group, const uint32_t sums[lanes],
                      FactorBlock block, rabitq::FilterInput& input) {
        input.exponents = block.exponents();
        input.threshold = candidates_->threshold();
        const auto args = rabitq::filter_args(input);
        float lower[lanes], estimate[lanes];
        uint32_t mask =
            simd::kernels().filter(sums, block.adds(), block.scales(), &args, lower, estimate);
        // Without a threshold every row counts, those whose bound is no number included.
        if (std::isinf(args.threshold)) mask = ~0u;
        for (; mask != 0; mask &= mask - 1) {
            const auto lane = static_cast<uint32_t>(std::countr_zero(mask));
            const Tid tid = block.tid(lane);
            if (!tid.valid() || is_excluded(tid)) continue;
            const uint32_t row = group * lanes + lane;
            if (row >= extent.capacity) continue;
            Position record = {no_block, 0};
            if (meta_->refine_bits != 0) record = record_position(*meta_, extent, row);
            candidates_->push({orderable(lower[lane]), tid, record});
        }
    }

    bool is_excluded(Tid tid) const {
        return !excluded_.empty() &&
               std::binary_search(excluded_.begin(), excluded_.end(), tid.key());
    }

    S* store_;
    const MetaPage* meta_;
    const Query* query_;
    float epsilon_;
    std::span<const uint64_t> excluded_;
    CandidateBuffer* candidates_;
    uint64_t codes_ = 0;
};

// Calls visit(ordinal, lane, block) for each lane of the list that holds a row; `block` is the
// factor block of the lane's group. Pages are unlocked while visit runs.
template <PageStore S, class Visit>
void for_each_row(S& store, const MetaPage& meta, const ListEntry& entry, Visit visit) {
    const Extents extents = read_extents(store, meta, entry);
    uint32_t first = 0;
    for (const Extent& extent : extents.span()) {
        const uint32_t rows = std::min(entry.used - first, extent.capacity);
        for (uint32_t row = 0; row < rows; row += lanes) {
            alignas(16) std::byte bytes[block_bytes];
            read_bytes(store, meta.index_id, block_position(meta, extent, row), bytes);
            const FactorBlock block(bytes);
            const uint32_t count = std::min<uint32_t>(lanes, rows - row);
            for (uint32_t lane = 0; lane < count; lane++) {
                if (block.tid(lane).valid()) visit(first + row + lane, lane, block);
            }
            if (row / lanes % groups_a_poll == groups_a_poll - 1) store.poll();
        }
        first += rows;
        if (first == entry.used) break;
    }
}

// All rows of the outlier list as candidates: too large ones first, zero vectors last.
template <PageStore S>
void scan_outliers(S& store, const MetaPage& meta, CandidateBuffer& candidates) {
    candidates.start(0);
    const ListEntry entry = read_entry(store, meta, outlier_list);
    for_each_row(store, meta, entry, [&](uint32_t, uint32_t lane, FactorBlock block) {
        const bool is_zero = block.scales()[lane] == static_cast<uint16_t>(OutlierKind::zero);
        const float key = is_zero ? std::numeric_limits<float>::infinity() : FLT_MAX;
        candidates.push({key, block.tid(lane), {no_block, 0}});
    });
    candidates.finish();
}

}  // namespace pagoda::ivf

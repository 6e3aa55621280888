// Figures about an index for people and for the planner: pagoda_index_info, cost estimates, VACUUM.
#pragma once

#include <cmath>

#include "core/ivf/directory.h"

namespace pagoda::ivf {

struct IndexStatistics {
    MetaPage meta = {};
    uint32_t lists = 0;        // outlier list not counted
    uint64_t rows = 0;         // in lanes, dead ones not counted; outliers included
    uint64_t outliers = 0;     // of them in the outlier list
    uint64_t empty_lanes = 0;  // left by VACUUM, reusable
    uint64_t rows_largest_list = 0;
    uint64_t level0_bytes = 0;    // space of extents: codes, factors, TIDs
    uint64_t level1_bytes = 0;    // space of extents: refinement codes
    uint64_t centroid_bytes = 0;  // centroids, groups, entries, mean
    double imbalance = 1;         // lists * sum n^2 / (sum n)^2; 1 = even
    uint32_t pages = 0;
};

// Reads every list entry; no page is locked on entry and on return.
template <PageStore S>
IndexStatistics index_statistics(S& store) {
    IndexStatistics statistics;
    const MetaPage meta = read_meta(store);
    statistics.meta = meta;
    statistics.lists = meta.list_count - 1;
    statistics.pages = store.block_count();
    double squares = 0, sum = 0;
    for (uint32_t list = 0; list < meta.list_count; list++) {
        if (list % 64 == 0) store.poll();
        const ListEntry entry = read_entry(store, meta, list);
        const Extents extents = read_extents(store, meta, entry);
        const uint64_t rows = entry.used - entry.dead;
        statistics.rows += rows;
        statistics.empty_lanes += entry.dead;
        for (const Extent& extent : extents.span()) {
            statistics.level0_bytes += divide_up(extent.capacity, rabitq::group_lanes) *
                                       uint64_t{rabitq::group_bytes(meta.padded_dim)};
            statistics.level1_bytes +=
                extent.capacity * uint64_t{record_bytes(meta.padded_dim, meta.refine_bits)};
        }
        if (list == outlier_list) {
            statistics.outliers = rows;
            continue;
        }
        statistics.rows_largest_list = std::max(statistics.rows_largest_list, rows);
        sum += static_cast<double>(rows);
        squares += static_cast<double>(rows) * static_cast<double>(rows);
    }
    if (sum > 0) statistics.imbalance = statistics.lists * squares / (sum * sum);
    for (const Stream* stream :
         {&meta.mean, &meta.groups, &meta.group_entries, &meta.centroids, &meta.entries}) {
        statistics.centroid_bytes += stream->bytes;
    }
    return statistics;
}

// Rows in the index by its entries alone, for VACUUM without dead rows.
template <PageStore S>
uint64_t count_rows(S& store) {
    const MetaPage meta = read_meta(store);
    uint64_t rows = 0;
    for (uint32_t list = 0; list < meta.list_count; list++) {
        if (list % 64 == 0) store.poll();
        const ListEntry entry = read_entry(store, meta, list);
        rows += entry.used - entry.dead;
    }
    return rows;
}

}  // namespace pagoda::ivf

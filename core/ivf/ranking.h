// Which lists are nearest to a query. Two levels: the coarse groups are ranked, then the lists of
// the best groups; distances to centroids are exact for the stored (f16) centroids.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/base/memory.h"
#include "core/ivf/candidates.h"
#include "core/ivf/directory.h"
#include "core/ivf/query.h"
#include "core/simd/kernels.h"

namespace pagoda::ivf {

struct RankedList {
    float score;  // smaller is nearer
    float base;   // of the row estimates: |w - c|^2, or -<mean, q> - <c, w>
    float reach;  // |w - c|
    uint32_t list;
};

// Groups are explored until the lists in them number at least this many times the probes, and at
// least groups_least groups.
inline constexpr uint32_t explore_factor = 4;
inline constexpr uint32_t groups_least = 5;

// Adds up a sum over the next padded_dim halves of a centroid stream; `kernel` is one of the f32 x
// f16 kernels.
template <PageStore S>
float sum_over_centroid(Cursor<S>& cursor, std::span<const float> w,
                        float (*kernel)(const float*, const uint16_t*, size_t)) {
    float sum = 0;
    for (size_t done = 0; done < w.size();) {
        const auto piece = cursor.take((w.size() - done) * sizeof(uint16_t));
        const size_t count = piece.size() / sizeof(uint16_t);
        sum += kernel(w.data() + done, reinterpret_cast<const uint16_t*>(piece.data()), count);
        done += count;
    }
    return sum;
}

// Ranking score of the next centroid of the stream.
template <PageStore S>
float score_centroid(Cursor<S>& cursor, const MetaPage& meta, const Query& query) {
    const auto& kernels = simd::kernels();
    const float score = meta.metric == Metric::inner_product
                            ? -sum_over_centroid(cursor, query.ranking, kernels.dot_f32_f16)
                            : sum_over_centroid(cursor, query.w, kernels.l2_f32_f16);
    return orderable(score);
}

// Scores lists [first, first + count) and appends them.
template <PageStore S>
void score_lists(S& store, const MetaPage& meta, const Query& query, uint32_t first, uint32_t count,
                 GrowArray<RankedList>& out) {
    if (count == 0) return;
    const uint64_t bytes = uint64_t{meta.padded_dim} * sizeof(uint16_t);
    Cursor<S> cursor(store, meta.index_id, meta.centroids, first * bytes);
    for (uint32_t list = first; list < first + count; list++) {
        if (list % 256 == 255) {
            cursor.release();
            store.poll();
        }
        out.push({score_centroid(cursor, meta, query), 0, 0, list});
    }
}

// Fills in base and reach of a list that will be scanned.
template <PageStore S>
void complete_ranked(S& store, const MetaPage& meta, const Query& query, RankedList& ranked) {
    if (meta.metric != Metric::inner_product) {
        ranked.base = ranked.score;
        ranked.reach = std::sqrt(std::max(ranked.score, 0.0f));
        return;
    }
    const uint64_t byte = ranked.list * uint64_t{meta.padded_dim} * sizeof(uint16_t);
    Cursor<S> cursor(store, meta.index_id, meta.centroids, byte);
    ranked.reach = std::sqrt(sum_over_centroid(cursor, query.w, simd::kernels().l2_f32_f16));
    cursor.release();
    Cursor<S> again(store, meta.index_id, meta.centroids, byte);
    const float dot = sum_over_centroid(again, query.w, simd::kernels().dot_f32_f16);
    ranked.base = -query.mean_dot - dot;
}

template <PageStore S>
void complete_and_sort(S& store, const MetaPage& meta, const Query& query,
                       std::span<RankedList> lists) {
    std::sort(lists.begin(), lists.end(),
              [](const RankedList& a, const RankedList& b) { return a.score < b.score; });
    for (RankedList& ranked : lists) complete_ranked(store, meta, query, ranked);
}

// Coarse groups, nearest first. `list` of an element is the group's number.
template <PageStore S>
void rank_groups(S& store, const MetaPage& meta, const Query& query, GrowArray<RankedList>& out) {
    Cursor<S> cursor(store, meta.index_id, meta.groups, 0);
    for (uint32_t group = 0; group < meta.group_count; group++) {
        out.push({score_centroid(cursor, meta, query), 0, 0, group});
    }
    std::sort(out.span().begin(), out.span().end(),
              [](const RankedList& a, const RankedList& b) { return a.score < b.score; });
}

// The `probes` nearest lists into `ranked` (cleared first), nearest first.
template <PageStore S>
void rank_nearest(S& store, const MetaPage& meta, const Query& query, uint32_t probes,
                  const Memory& memory, GrowArray<RankedList>& ranked) {
    ranked.clear();
    if (meta.group_count == 1) {
        score_lists(store, meta, query, 1, meta.list_count - 1, ranked);
    } else {
        GrowArray<RankedList> groups(memory);
        rank_groups(store, meta, query, groups);
        const uint64_t wanted = uint64_t{probes} * explore_factor;
        for (uint32_t i = 0; i < groups.size(); i++) {
            if (i >= groups_least && ranked.size() >= wanted) break;
            const GroupEntry group = read_group_entry(store, meta, groups[i].list);
            score_lists(store, meta, query, group.first_list, group.list_count, ranked);
        }
        groups.release();
    }
    if (ranked.size() > probes) {
        const auto span = ranked.span();
        std::nth_element(
            span.begin(), span.begin() + probes, span.end(),
            [](const RankedList& a, const RankedList& b) { return a.score < b.score; });
        ranked.truncate(probes);
    }
    complete_and_sort(store, meta, query, ranked.span());
}

// The entries of `lists`, in the same order, into `entries` (cleared first). Pages are read in
// block order and once each: near lists often share them. `order` is scratch.
template <PageStore S>
void read_entries(S& store, const MetaPage& meta, std::span<const RankedList> lists,
                  GrowArray<uint32_t>& order, GrowArray<ListEntry>& entries) {
    order.clear();
    entries.clear();
    for (uint32_t i = 0; i < lists.size(); i++) {
        order.push(i);
        entries.push({});
    }
    std::sort(order.span().begin(), order.span().end(),
              [&](uint32_t a, uint32_t b) { return lists[a].list < lists[b].list; });
    for (size_t i = 0; i < order.size();) {
        store.poll();
        const uint32_t block = entry_place(meta, lists[order[i]].list).block;
        auto guard = store.read(block);
        for (; i < order.size(); i++) {
            const Position place = entry_place(meta, lists[order[i]].list);
            if (place.block != block) break;
            entries[order[i]] = load_entry(store, meta, guard.bytes(), place);
        }
    }
}

// Appends every list that `ranked` does not hold yet, nearest first. `marks` is scratch.
template <PageStore S>
void rank_rest(S& store, const MetaPage& meta, const Query& query, GrowArray<uint8_t>& marks,
               GrowArray<RankedList>& ranked) {
    marks.clear();
    for (uint32_t list = 0; list < meta.list_count; list++) marks.push(0);
    for (const RankedList& known : ranked.span()) marks[known.list] = 1;
    const size_t before = ranked.size();
    for (uint32_t first = 1; first < meta.list_count;) {
        uint32_t last = first;
        while (last < meta.list_count && !marks[last]) last++;
        score_lists(store, meta, query, first, last - first, ranked);
        first = last + 1;
    }
    complete_and_sort(store, meta, query, ranked.span().subspan(before));
}

}  // namespace pagoda::ivf

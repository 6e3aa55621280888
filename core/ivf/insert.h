// Insertion of one row: nearest list, codes, a lane. Lock order: entry page, extent pages
// ascending, meta page. The entry page stays locked for the whole insertion, which serialises
// insertions into the lists that share it. A lane becomes visible by one edit that sets its TID and
// the list's count; what is written before that is overwritten by the next insertion if a crash
// comes between.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/ivf/codec.h"
#include "core/ivf/directory.h"
#include "core/ivf/list_scan.h"
#include "core/ivf/ranking.h"
#include "core/ivf/space.h"
#include "core/ivf/stream_edit.h"

namespace pagoda::ivf {

template <PageStore S>
class Inserter {
  public:
    Inserter(S& store, Memory memory) : store_(&store), memory_(memory) {}

    // Reads the index and takes memory; insert() may then be called for many rows.
    void open() {
        meta_ = read_meta(*store_);
        const auto mean = memory_.zeroed_array<float>(meta_.dim);
        Cursor<S> cursor(*store_, meta_.index_id, meta_.mean, 0);
        cursor.copy(std::as_writable_bytes(mean));
        cursor.release();
        codec_ = make_codec(meta_, mean, memory_);
        z_ = memory_.zeroed_array<float>(meta_.padded_dim);
        centroid_ = memory_.zeroed_array<float>(meta_.padded_dim);
        halves_ = memory_.zeroed_array<uint16_t>(meta_.padded_dim);
        code_.signs = memory_.zeroed_array<uint8_t>(meta_.padded_dim / 8);
        code_.fine =
            memory_.zeroed_array<uint8_t>(size_t{meta_.padded_dim} * meta_.refine_bits / 8);
        script_ =
            memory_.zeroed_array<std::byte>(PageEdit::memory_for(meta_.padded_dim * 2 + 2048, 128));
    }

    // Adds the row at `tid` with vector x (meta().dim floats). No page is locked on entry.
    void insert(std::span<const float> x, Tid tid) {
        check_always(x.size() == meta_.dim && tid.valid());
        RowKind kind = to_work_space(codec_, x, z_);
        uint32_t list = outlier_list;
        if (kind == RowKind::coded) {
            list = nearest_list();
            if (!encode_row(codec_, z_, centroid_, code_)) {
                kind = RowKind::too_large;
                list = outlier_list;
            }
        }
        if (kind != RowKind::coded) mark_outlier(kind);
        place_row(list, tid, kind);
    }

    const MetaPage& meta() const { return meta_; }

  private:
    // Where a new row goes.
    struct Lane {
        Extent extent;
        uint32_t row;      // inside the extent
        uint32_t ordinal;  // inside the list
        bool reused;
    };

    // Groups explored by an insertion; ann.md of the research measured 5 as near exact.
    static constexpr uint32_t groups_explored = 5;

    // Finds the list whose stored centroid is nearest to z_ and loads that centroid.
    uint32_t nearest_list() {
        Query query;
        query.w = z_;
        MetaPage as_l2 = meta_;
        as_l2.metric = Metric::l2;  // lists are clusters by distance, whatever the metric
        GrowArray<RankedList> lists(memory_), groups(memory_);
        rank_groups(*store_, as_l2, query, groups);
        for (uint32_t i = 0; i < std::min<size_t>(groups.size(), groups_explored); i++) {
            const GroupEntry group = read_group_entry(*store_, meta_, groups[i].list);
            score_lists(*store_, as_l2, query, group.first_list, group.list_count, lists);
        }
        if (lists.empty()) {
            store_->fail(Error{ErrorCode::corrupt_page, meta_block, "groups with lists"});
        }
        const auto span = lists.span();
        const uint32_t list =
            std::min_element(span.begin(), span.end(), [](const auto& a, const auto& b) {
                return a.score < b.score;
            })->list;
        lists.release();
        groups.release();
        Cursor<S> cursor(*store_, meta_.index_id, meta_.centroids,
                         list * uint64_t{meta_.padded_dim} * sizeof(uint16_t));
        cursor.copy(std::as_writable_bytes(halves_));
        cursor.release();
        simd::kernels().f16_to_f32(halves_.data(), centroid_.data(), halves_.size());
        return list;
    }

    void mark_outlier(RowKind kind) {
        std::fill(code_.signs.begin(), code_.signs.end(), uint8_t{0});
        std::fill(code_.fine.begin(), code_.fine.end(), uint8_t{0});
        code_.add0 = code_.scale0 = code_.add1 = code_.scale1 = 0;
        outlier_ = kind == RowKind::zero ? OutlierKind::zero : OutlierKind::too_large;
    }

    void place_row(uint32_t list, Tid tid, RowKind kind) {
        // Ends unless others take the space that is reserved here every time.
        for (uint64_t missing = 0;;) {
            missing = try_place_row(list, tid, kind);
            if (missing == 0) return;
            store_->poll();
            reserve_space(*store_, meta_.index_id, missing, script_);
        }
    }

    // Places the row, or returns the bytes of free space that its list needs first.
    uint64_t try_place_row(uint32_t list, Tid tid, RowKind kind) {
        const Position place = entry_place(meta_, list);
        auto guard = store_->lock(place.block);
        ListEntry entry = load_entry(*store_, meta_, guard.bytes(), place);
        Extents extents = read_extents(*store_, meta_, entry);
        Lane lane = {};
        if (!find_lane(entry, extents, lane)) {
            const uint32_t capacity = next_capacity(meta_.padded_dim, meta_.refine_bits,
                                                    extents.capacity(), extents.count);
            if (!add_extent(*store_, meta_, guard, place.offset, entry, capacity, script_)) {
                return extent_bytes(meta_.padded_dim, meta_.refine_bits, capacity);
            }
            extents = read_extents(*store_, meta_, entry);
            check_always(find_lane(entry, extents, lane));
        }
        if (lane.reused) {
            entry.dead--;
            entry.free_hint = lane.ordinal + 1;
        } else {
            entry.used++;
        }
        write_row(guard, place.offset, entry, lane, tid, kind);
        return 0;
    }

    // A lane that VACUUM emptied, or else the next fresh one. False when the list is full.
    bool find_lane(const ListEntry& entry, const Extents& extents, Lane& lane) {
        if (entry.dead > 0 && find_empty_lane(entry, extents, lane)) return true;
        uint32_t first = 0;
        for (const Extent& extent : extents.span()) {
            if (entry.used - first < extent.capacity) {
                lane = {extent, entry.used - first, entry.used, false};
                return true;
            }
            first += extent.capacity;
        }
        return false;
    }

    bool find_empty_lane(const ListEntry& entry, const Extents& extents, Lane& lane) {
        uint32_t first = 0;
        for (const Extent& extent : extents.span()) {
            const uint32_t rows = std::min(entry.used - first, extent.capacity);
            uint32_t row = entry.free_hint > first ? entry.free_hint - first : 0;
            while (row < rows) {
                const auto end = std::min<uint32_t>(rows, (row / lanes + 1) * lanes);
                alignas(16) std::byte block[block_bytes];
                read_bytes(*store_, meta_.index_id, block_position(meta_, extent, row), block);
                for (; row < end; row++) {
                    if (FactorBlock(block).tid(row % lanes).valid()) continue;
                    lane = {extent, row, first + row, true};
                    return true;
                }
            }
            first += rows;
        }
        return false;
    }

    // Writes codes, factors, TID and entry: one edit when they lie on few pages, else the codes in
    // edits of their own first.
    void write_row(const typename S::WriteGuard& entry_guard, uint32_t entry_offset,
                   const ListEntry& entry, const Lane& lane, Tid tid, RowKind kind) {
        const Position block_at = block_position(meta_, lane.extent, lane.row);
        alignas(16) std::byte before[block_bytes];
        alignas(16) std::byte block[block_bytes];
        read_bytes(*store_, meta_.index_id, block_at, before);
        std::copy_n(before, block_bytes, block);
        const uint32_t slot = lane.row % lanes;
        update_block(block, slot, tid, kind);

        const Position group = group_position(meta_, lane.extent, lane.row);
        const Position record = record_position(meta_, lane.extent, lane.row);
        const uint64_t record_size = record_bytes(meta_.padded_dim, meta_.refine_bits);
        const bool one_edit = pages_touched(group, rabitq::group_bytes(meta_.padded_dim)) +
                                  pages_touched(record, record_size) <
                              PageEdit::pages_max;
        StreamEditor<S> editor(*store_, meta_.index_id, script_, EditKind::prepare);
        const auto packed = std::as_bytes(std::span<const uint8_t>(code_.signs));
        const size_t rows = rabitq::group_rows(meta_.padded_dim);
        if (!one_edit) {
            write_record(editor, record);
            editor.commit();
            // At most three pages an edit: the entry page is locked as well.
            constexpr size_t rows_an_edit = 2 * content_bytes / rabitq::group_row_bytes;
            for (size_t row = 0; row < rows; row += rows_an_edit) {
                editor.write_lane(group, slot, row, std::min(rows_an_edit, rows - row), packed);
                editor.commit();
            }
        }
        editor.edit().set_kind(EditKind::insert);
        editor.use(entry_guard);
        editor.edit().write_value(entry_offset, entry);
        if (one_edit) editor.write_lane(group, slot, 0, rows, packed);
        write_changes(editor, block_at, before, block);
        if (one_edit) write_record(editor, record);
        editor.commit();
    }

    void update_block(std::span<std::byte> block, uint32_t slot, Tid tid, RowKind kind) {
        if (kind == RowKind::coded) {
            set_lane_factors(block, slot, code_.add0, code_.scale0);
        } else {
            set_lane_kind(block, slot, static_cast<uint16_t>(outlier_));
        }
        set_lane_tid(block, slot, tid);
    }

    // Writes the runs of bytes in which the block differs from what is on the page.
    void write_changes(StreamEditor<S>& editor, Position at, std::span<const std::byte> before,
                       std::span<const std::byte> after) {
        // Equal bytes between two runs that are fewer than an operation's head do not end a run.
        constexpr size_t gap = 8;
        size_t begin = 0, end = 0;  // pending run
        for (size_t i = 0; i < after.size(); i++) {
            if (before[i] == after[i]) continue;
            if (end > begin && i - end >= gap) {
                editor.write(advance(at, begin), after.subspan(begin, end - begin));
                begin = i;
            } else if (end == begin) {
                begin = i;
            }
            end = i + 1;
        }
        if (end > begin) editor.write(advance(at, begin), after.subspan(begin, end - begin));
    }

    void write_record(StreamEditor<S>& editor, Position record) {
        if (meta_.refine_bits == 0) return;
        editor.write(record, std::as_bytes(std::span<const uint8_t>(code_.fine)));
        const float factors[2] = {code_.add1, code_.scale1};
        editor.write(advance(record, code_.fine.size()), std::as_bytes(std::span(factors)));
    }

    S* store_;
    Memory memory_;
    MetaPage meta_ = {};
    Codec codec_;
    std::span<float> z_, centroid_;
    std::span<uint16_t> halves_;
    RowCode code_;
    OutlierKind outlier_ = OutlierKind::none;
    std::span<std::byte> script_;
};

}  // namespace pagoda::ivf

// VACUUM: empties the lanes of dead rows. Each group of 32 rows is read first and asked about with
// no page locked; only groups with dead rows are written, one edit each (entry page, then the pages
// of the TIDs). Emptied lanes are used again by later insertions into the list.
#pragma once

#include <algorithm>

#include "core/base/memory.h"
#include "core/ivf/directory.h"
#include "core/ivf/list_scan.h"
#include "core/ivf/stream_edit.h"

namespace pagoda::ivf {

struct VacuumCounts {
    uint64_t live = 0;
    uint64_t removed = 0;
};

// Says whether the row at `tid` is dead. May leave by longjmp or throw; no page is locked.
struct DeadTest {
    bool (*is_dead)(void* context, Tid tid);
    void* context;
};

template <PageStore S>
class Vacuum {
  public:
    Vacuum(S& store, Memory memory, DeadTest dead) : store_(&store), dead_(dead) {
        meta_ = read_meta(store);
        script_ = memory.zeroed_array<std::byte>(
            PageEdit::memory_for(block_bytes + sizeof(ListEntry) + 64, 40));
    }

    // Walks all lists.
    VacuumCounts run() {
        for (uint32_t list = 0; list < meta_.list_count; list++) {
            store_->poll();
            vacuum_list(list);
        }
        return counts_;
    }

  private:
    void vacuum_list(uint32_t list) {
        const ListEntry entry = read_entry(*store_, meta_, list);
        const Extents extents = read_extents(*store_, meta_, entry);
        uint32_t first = 0;
        for (const Extent& extent : extents.span()) {
            const uint32_t rows = std::min(entry.used - first, extent.capacity);
            for (uint32_t row = 0; row < rows; row += lanes) {
                vacuum_group(list, extent, row, first + row);
                store_->poll();
            }
            first += rows;
        }
    }

    void vacuum_group(uint32_t list, const Extent& extent, uint32_t row, uint32_t ordinal) {
        const Position block_at = block_position(meta_, extent, row);
        alignas(16) std::byte bytes[block_bytes];
        read_bytes(*store_, meta_.index_id, block_at, bytes);
        const FactorBlock view(bytes);
        uint32_t dead = 0;
        for (uint32_t lane = 0; lane < lanes; lane++) {
            if (!view.tid(lane).valid()) continue;
            if (dead_.is_dead(dead_.context, view.tid(lane))) {
                dead |= 1u << lane;
            } else {
                counts_.live++;
            }
        }
        if (dead != 0) empty_lanes(list, block_at, ordinal, bytes, dead);
    }

    // Empties the lanes of `dead` whose TID is still the one that was judged.
    void empty_lanes(uint32_t list, Position block_at, uint32_t ordinal,
                     std::span<const std::byte> judged, uint32_t dead) {
        const Position place = entry_place(meta_, list);
        auto guard = store_->lock(place.block);
        ListEntry entry = load_entry(*store_, meta_, guard.bytes(), place);
        alignas(16) std::byte bytes[block_bytes];
        read_bytes(*store_, meta_.index_id, block_at, bytes);
        const FactorBlock before(judged.data()), now(bytes);
        uint32_t emptied = 0;
        for (uint32_t left = dead; left != 0; left &= left - 1) {
            const auto lane = static_cast<uint32_t>(std::countr_zero(left));
            if (before.tid(lane) != now.tid(lane)) continue;
            emptied |= 1u << lane;
        }
        if (emptied == 0) return;
        const auto count = static_cast<uint32_t>(std::popcount(emptied));
        entry.dead += count;
        entry.free_hint =
            std::min(entry.free_hint, ordinal + static_cast<uint32_t>(std::countr_zero(emptied)));
        StreamEditor<S> editor(*store_, meta_.index_id, script_, EditKind::vacuum);
        editor.use(guard);
        editor.edit().write_value(place.offset, entry);
        for (uint32_t left = emptied; left != 0; left &= left - 1) {
            const auto lane = static_cast<uint32_t>(std::countr_zero(left));
            editor.fill(advance(block_at, lane_tid_offset(lane)), tid_bytes, 0);
        }
        editor.commit();
        counts_.removed += count;
    }

    S* store_;
    DeadTest dead_;
    MetaPage meta_ = {};
    VacuumCounts counts_;
    std::span<std::byte> script_;
};

template <PageStore S>
VacuumCounts bulk_delete(S& store, Memory memory, DeadTest dead) {
    return Vacuum<S>(store, memory, dead).run();
}

}  // namespace pagoda::ivf

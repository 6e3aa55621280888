// New space for lists that grow. Pages are added, initialised and made free space with nothing
// locked but the meta page for the last step; a list then takes from the free space while its entry
// page is locked. A crash in between leaves pages that nobody uses.
#pragma once

#include <algorithm>

#include "core/ivf/directory.h"
#include "core/ivf/stream_edit.h"

namespace pagoda::ivf {

// Pages that a run of free space has at least: a 64th of the index, within these limits.
inline constexpr uint32_t run_pages_min = 8, run_pages_max = 128;

// Adds `count` consecutive initialised pages and returns the first. Each is
// locked and logged by itself; after_edit() is called between two, with none of them locked.
template <PageStore S, class AfterEdit>
uint32_t add_pages(S& store, uint32_t index_id, uint32_t count, PageKind kind,
                   std::span<std::byte> script, AfterEdit after_edit) {
    const uint32_t first = store.extend(count);
    PageEdit edit(script, EditKind::init);
    for (uint32_t i = 0; i < count; i++) {
        auto page = store.lock(first + i);
        edit.reset();
        edit.page(page);
        edit.init(kind, page_version, index_id);
        store.commit(edit);
        page.release();
        after_edit();
    }
    return first;
}

// What an allocation changes on the meta page.
struct MetaChange {
    Position tail;
    uint32_t tail_end;
    uint32_t table_block;
    uint32_t table_used;
};

// Whether `bytes` bytes fit between the tail and the end of the free space.
inline bool has_space(const MetaChange& free, uint64_t bytes) {
    return free.tail_end > free.tail.block && advance(free.tail, bytes - 1).block < free.tail_end;
}

inline MetaChange free_space_of(const MetaPage& meta) {
    MetaChange free = {meta.tail, meta.tail_end, meta.table_block, meta.table_used};
    if (free.tail.offset == content_bytes) free.tail = {free.tail.block + 1, 0};
    return free;
}

// The locked meta page as it is now.
template <PageStore S>
MetaPage load_locked_meta(S& store, const typename S::WriteGuard& guard) {
    const MetaPage meta = load_meta(guard.bytes());
    if (Status status = validate_meta(meta, store.block_count()); !status) {
        store.fail(status.error());
    }
    return meta;
}

// Makes free space of at least `bytes` bytes: new pages, which join the free space when they happen
// to lie beside it and take its place otherwise. No page is locked on entry and on return; polls
// between pages. Someone else may take the space before the caller does.
template <PageStore S>
void reserve_space(S& store, uint32_t index_id, uint64_t bytes, std::span<std::byte> script) {
    const auto needed = static_cast<uint32_t>(divide_up(bytes, content_bytes));
    const uint32_t run =
        std::max(needed, std::clamp(store.block_count() / 64, run_pages_min, run_pages_max));
    const uint32_t first =
        add_pages(store, index_id, run, PageKind::ivf_stream, script, [&] { store.poll(); });
    auto guard = store.lock(meta_block);
    MetaChange free = free_space_of(load_locked_meta(store, guard));
    const bool is_behind = first == free.tail_end && free.tail.block < free.tail_end;
    const bool is_before =
        free.tail.offset == 0 && first + run == free.tail.block && free.tail.block < free.tail_end;
    if (is_behind) {
        free.tail_end = first + run;
    } else {
        free.tail = {first, 0};
        if (!is_before) free.tail_end = first + run;
    }
    PageEdit edit(script, EditKind::extent);
    edit.page(guard);
    edit.write_value(content_begin + offsetof(MetaPage, tail), free);
    store.commit(edit);
}

// Adds an extent of `capacity` rows to the list whose entry is `entry`, on the locked page `guard`
// at page offset `entry_offset`. Commits one edit of the meta page, the entry and, beyond the
// inline extents, the extent table. Updates `entry`. False, with nothing changed, when the free
// space is too small; fails with too_large when the list has extents_max.
template <PageStore S>
[[nodiscard]] bool add_extent(S& store, const MetaPage& meta, const typename S::WriteGuard& guard,
                              uint32_t entry_offset, ListEntry& entry, uint32_t capacity,
                              std::span<std::byte> script) {
    if (entry.extent_count == extents_max) {
        store.fail(Error{ErrorCode::too_large, guard.block(), "a list of at most 64 extents"});
    }
    auto meta_guard = store.lock(meta_block);
    MetaChange change = free_space_of(load_locked_meta(store, meta_guard));
    const uint64_t bytes = extent_bytes(meta.padded_dim, meta.refine_bits, capacity);
    if (!has_space(change, bytes)) return false;
    const Position position = change.tail;
    change.tail = advance(change.tail, bytes);
    const Extent extent = {position.block, static_cast<uint16_t>(position.offset), 0, capacity};
    const uint32_t number = entry.extent_count++;
    if (number < extents_inline) {
        entry.extents[number] = extent;
    } else if (number == extents_inline) {
        if (change.table_block == 0 || change.table_used == tables_a_page) {
            change.table_block =
                add_pages(store, meta.index_id, 1, PageKind::ivf_extents, script, [] {});
            change.table_used = 0;
        }
        entry.table_block = change.table_block;
        entry.table_slot = change.table_used++;
    }

    PageEdit edit(script, EditKind::extent);
    edit.page(guard);
    edit.write_value(entry_offset, entry);
    edit.page(meta_guard);
    edit.write_value(content_begin + offsetof(MetaPage, tail), change);
    if (number >= extents_inline) {
        auto table = store.lock(entry.table_block);
        expect_page(store, table.bytes(), PageKind::ivf_extents, page_version, meta.index_id,
                    entry.table_block);
        edit.page(table);
        edit.write_value(
            table_offset(entry.table_slot) + (number - extents_inline) * sizeof(Extent), extent);
        store.commit(edit);
    } else {
        store.commit(edit);
    }
    return true;
}

static_assert(offsetof(MetaPage, tail_end) == offsetof(MetaPage, tail) + sizeof(Position));
static_assert(offsetof(MetaPage, table_block) == offsetof(MetaPage, tail_end) + 4);
static_assert(offsetof(MetaPage, table_used) == offsetof(MetaPage, table_block) + 4);
static_assert(sizeof(MetaChange) == 20);

}  // namespace pagoda::ivf

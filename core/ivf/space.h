// New space for lists that grow. Called with the list's entry page locked exclusively; locks the
// meta page after it. New pages are initialised by edits of their own before anything points to
// them; a crash in between leaves unused pages.
#pragma once

#include <algorithm>

#include "core/ivf/directory.h"
#include "core/ivf/stream_edit.h"

namespace pagoda::ivf {

// Pages that a run of free space has at least: a 64th of the index, within these limits.
inline constexpr uint32_t run_pages_min = 8, run_pages_max = 128;

// Adds `count` consecutive initialised pages and returns the first.
template <PageStore S>
uint32_t add_pages(S& store, uint32_t index_id, uint32_t count, PageKind kind,
                   std::span<std::byte> script) {
    const uint32_t first = store.extend(count);
    PageEdit edit(script);
    // Two pages an edit: the caller may hold two others and the limit is five.
    for (uint32_t i = 0; i < count; i += 2) {
        auto page = store.lock(first + i);
        edit.reset();
        edit.page(page);
        edit.init(kind, page_version, index_id);
        if (i + 1 < count) {
            auto next = store.lock(first + i + 1);
            edit.page(next);
            edit.init(kind, page_version, index_id);
            store.commit(edit);
        } else {
            store.commit(edit);
        }
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

// Takes `bytes` bytes (16-byte aligned) from the free space described by `change`, extending the
// index when it is too small. The meta page is locked by the caller.
template <PageStore S>
Position take_space(S& store, uint32_t index_id, uint64_t bytes, MetaChange& change,
                    std::span<std::byte> script) {
    const auto ends_at = [&](Position from) { return advance(from, bytes - 1).block + 1; };
    if (change.tail.offset == content_bytes) change.tail = {change.tail.block + 1, 0};
    const bool empty = change.tail_end == 0 || change.tail.block >= change.tail_end;
    if (empty || ends_at(change.tail) > change.tail_end) {
        const uint32_t blocks = store.block_count();
        const auto needed = static_cast<uint32_t>(divide_up(bytes, content_bytes));
        const uint32_t run =
            std::max(needed, std::clamp(blocks / 64, run_pages_min, run_pages_max));
        const uint32_t first = add_pages(store, index_id, run, PageKind::ivf_stream, script);
        // Space that happens to lie before the new run stays in use.
        if (empty || first != change.tail_end) change.tail = {first, 0};
        change.tail_end = first + run;
    }
    const Position taken = change.tail;
    change.tail = advance(change.tail, bytes);
    return taken;
}

// Adds an extent of `capacity` rows to the list whose entry is `entry`, on the locked page `guard`
// at page offset `entry_offset`. Commits one edit of the meta page, the entry and, beyond the
// inline extents, the extent table. Updates `entry`; fails with too_large when the list has
// extents_max.
template <PageStore S>
void add_extent(S& store, const MetaPage& meta, const typename S::WriteGuard& guard,
                uint32_t entry_offset, ListEntry& entry, uint32_t capacity,
                std::span<std::byte> script) {
    if (entry.extent_count == extents_max) {
        store.fail(Error{ErrorCode::too_large, guard.block(), "a list of at most 20 extents"});
    }
    auto meta_guard = store.lock(meta_block);
    const MetaPage now = load_meta(meta_guard.bytes());
    if (Status status = validate_meta(now, store.block_count()); !status) {
        store.fail(status.error());
    }
    MetaChange change = {now.tail, now.tail_end, now.table_block, now.table_used};
    const uint64_t bytes = extent_bytes(meta.padded_dim, meta.refine_bits, capacity);
    const Position position = take_space(store, meta.index_id, bytes, change, script);
    const Extent extent = {position.block, static_cast<uint16_t>(position.offset), 0, capacity};
    const uint32_t number = entry.extent_count++;
    if (number < extents_inline) {
        entry.extents[number] = extent;
    } else if (number == extents_inline) {
        if (change.table_block == 0 || change.table_used == tables_a_page) {
            change.table_block = add_pages(store, meta.index_id, 1, PageKind::ivf_extents, script);
            change.table_used = 0;
        }
        entry.table_block = change.table_block;
        entry.table_slot = change.table_used++;
    }

    PageEdit edit(script);
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
}

static_assert(offsetof(MetaPage, tail_end) == offsetof(MetaPage, tail) + sizeof(Position));
static_assert(offsetof(MetaPage, table_block) == offsetof(MetaPage, tail_end) + 4);
static_assert(offsetof(MetaPage, table_used) == offsetof(MetaPage, table_block) + 4);
static_assert(sizeof(MetaChange) == 20);

}  // namespace pagoda::ivf

// Reading the meta page, list entries and group entries. Every value is checked against the format
// before it is used; a contradiction leaves through store.fail() with the block it was found on.
// No function here keeps a page locked when it returns, unless it says so.
#pragma once

#include "core/ivf/lanes.h"
#include "core/ivf/stream.h"

namespace pagoda::ivf {

// Checks a meta page read from disk against its own bounds and the size of the index.
Status validate_meta(const MetaPage& meta, uint32_t block_count);

// Check an entry and the extents of a list; `block` is the page they were read from. Blocks past
// the end of the index are found when they are read.
Status validate_entry(const MetaPage& meta, const ListEntry& entry, uint32_t block);
Status validate_extents(const MetaPage& meta, const ListEntry& entry,
                        std::span<const Extent> extents, uint32_t block);

inline MetaPage load_meta(ConstPageBytes page) {
    return load<MetaPage>(page.data() + content_begin);
}

// The index_id is not known before the meta page is read: its tag is checked against itself.
template <PageStore S>
MetaPage read_meta(S& store) {
    auto guard = store.read(meta_block);
    const uint32_t own_id = page_tag(guard.bytes()).index_id;
    expect_page(store, guard.bytes(), PageKind::ivf_meta, page_version, own_id, meta_block);
    const MetaPage meta = load_meta(guard.bytes());
    guard.release();
    // Counted after the page was read: in between an insertion may extend the index.
    const uint32_t block_count = store.block_count();
    if (Status status = validate_meta(meta, block_count); !status) store.fail(status.error());
    if (meta.index_id != own_id) {
        store.fail(Error{ErrorCode::corrupt_page, meta_block, "the index id of the page tag"});
    }
    return meta;
}

// Where the entry of `list` is: its block and the offset on the page (header included).
inline Position entry_place(const MetaPage& meta, uint32_t list) {
    const uint32_t page = list / entries_a_page;
    const Position first = locate(meta.entries, uint64_t{page} * content_bytes);
    return {first.block,
            static_cast<uint32_t>(content_begin + list % entries_a_page * sizeof(ListEntry))};
}

template <PageStore S>
ListEntry load_entry(S& store, const MetaPage& meta, ConstPageBytes page, Position place) {
    expect_page(store, page, PageKind::ivf_stream, page_version, meta.index_id, place.block);
    const auto entry = load<ListEntry>(page.data() + place.offset);
    if (Status status = validate_entry(meta, entry, place.block); !status) {
        store.fail(status.error());
    }
    return entry;
}

template <PageStore S>
ListEntry read_entry(S& store, const MetaPage& meta, uint32_t list) {
    check(list < meta.list_count);
    const Position place = entry_place(meta, list);
    if (place.block == no_block) {
        store.fail(Error{ErrorCode::corrupt_page, meta_block, "an entry for each list"});
    }
    auto guard = store.read(place.block);
    return load_entry(store, meta, guard.bytes(), place);
}

inline uint32_t table_offset(uint32_t slot) {
    return static_cast<uint32_t>(content_begin + slot * sizeof(ExtentTable));
}

// All extents of a list, in ordinal order.
struct Extents {
    Extent items[extents_max];
    uint32_t count = 0;

    std::span<const Extent> span() const { return {items, count}; }
    uint32_t capacity() const {
        uint32_t total = 0;
        for (const Extent& extent : span()) total += extent.capacity;
        return total;
    }
};

template <PageStore S>
Extents read_extents(S& store, const MetaPage& meta, const ListEntry& entry) {
    Extents extents;
    extents.count = entry.extent_count;
    const uint32_t inlined = std::min<uint32_t>(entry.extent_count, extents_inline);
    std::copy_n(entry.extents, inlined, extents.items);
    uint32_t block = meta_block;
    if (entry.extent_count > extents_inline) {
        block = entry.table_block;
        auto guard = store.read(block);
        expect_page(store, guard.bytes(), PageKind::ivf_extents, page_version, meta.index_id,
                    block);
        const auto table = load<ExtentTable>(guard.bytes().data() + table_offset(entry.table_slot));
        std::copy_n(table.extents, entry.extent_count - extents_inline,
                    extents.items + extents_inline);
    }
    if (Status status = validate_extents(meta, entry, extents.span(), block); !status) {
        store.fail(status.error());
    }
    return extents;
}

template <PageStore S>
GroupEntry read_group_entry(S& store, const MetaPage& meta, uint32_t group) {
    check(group < meta.group_count);
    const uint64_t page = group / group_entries_a_page;
    const uint64_t byte = page * content_bytes + group % group_entries_a_page * sizeof(GroupEntry);
    GroupEntry entry;
    Cursor<S> cursor(store, meta.index_id, meta.group_entries, byte);
    cursor.copy(std::as_writable_bytes(std::span<GroupEntry, 1>(&entry, 1)));
    const uint32_t block = cursor.position().block;
    cursor.release();
    if (entry.first_list == outlier_list || entry.first_list > meta.list_count ||
        entry.list_count > meta.list_count - entry.first_list) {
        store.fail(Error{ErrorCode::corrupt_page, block, "groups of existing lists"});
    }
    return entry;
}

// Position of the group (level 0) and of the level-1 record of a row inside its extent.
inline Position group_position(const MetaPage& meta, const Extent& extent, uint32_t row) {
    return advance({extent.block, extent.offset},
                   row / lanes * uint64_t{rabitq::group_bytes(meta.padded_dim)});
}
// Position of the factor block of that group.
inline Position block_position(const MetaPage& meta, const Extent& extent, uint32_t row) {
    return advance(group_position(meta, extent, row), block_offset(meta.padded_dim));
}
inline Position record_position(const MetaPage& meta, const Extent& extent, uint32_t row) {
    const uint64_t groups =
        divide_up(extent.capacity, lanes) * uint64_t{rabitq::group_bytes(meta.padded_dim)};
    return advance({extent.block, extent.offset},
                   groups + row * uint64_t{record_bytes(meta.padded_dim, meta.refine_bits)});
}

}  // namespace pagoda::ivf

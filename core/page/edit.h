// PageEdit: the only way pages change (bulk build apart). An edit is a script of small operations
// on at most four locked pages. commit() of the store applies it through apply_script() and logs it
// as one record; redo applies the same bytes through the same function.
//
// Script of one page: operations back to back, little-endian:
//   init      1  kind u8, version u8, zero u16, index_id u32      page becomes empty of that kind
//   write     2  offset u16, length u16, bytes
//   fill      3  offset u16, length u16, value u8
//   move      4  from u16, to u16, length u16                     ranges may overlap
//   insert    5  at u16, end u16, length u16, bytes               [at, end) moves up by length
//   erase     6  at u16, end u16, length u16                      [at + length, end) moves down
//   nibbles   7  offset u16, stride u8, half u8, count u16, ceil(count / 2) bytes
//   bounds    8  lower u16, upper u16                             pd_lower and pd_upper
//   transform 9  id u8, version u8, length u16, bytes             a registered pure function
// Offsets lie in [24, 8176): header and special area change only through init and bounds.
#pragma once

#include <cstdint>
#include <span>

#include "core/page/layout.h"

namespace pagoda {

// What an edit is for. It does not change what replay does; it names the record in WAL statistics.
// Numbers are part of the WAL format, at most 15, never used for another meaning.
enum class EditKind : uint8_t {
    page = 0,     // any other change
    init = 1,     // new pages
    insert = 2,   // a row becomes visible
    prepare = 3,  // bytes that a later edit of an insertion makes visible
    vacuum = 4,   // rows are removed
    extent = 5,   // a list or tree gets space
    meta = 6,     // settings or learnt values of the index
};

// Whether logical decoding reads the table of the index as a catalog.
enum class TableKind : uint8_t { ordinary, catalog };

// A registered page-to-page function: deterministic, versioned, reads only the page and
// `arguments`.
struct Transform {
    uint8_t id;
    uint8_t version;
    Status (*apply)(PageBytes page, std::span<const std::byte> arguments);
};
using TransformTable = std::span<const Transform>;

// Applies one page's script. Every operation is bounds-checked; on an error the page may be half
// changed (the caller works on a copy or gives up the server).
Status apply_script(PageBytes page, std::span<const std::byte> script, TransformTable transforms);

// Builds the scripts of one edit in memory of the caller. A guard passed to page() must stay locked
// exclusively until the store has committed the edit.
class PageEdit {
  public:
    static constexpr size_t pages_max = 4;
    // Memory that is always enough for `pages` pages whose scripts carry at most `bytes` bytes of
    // data in at most `operations` operations.
    static constexpr size_t memory_for(size_t bytes, size_t operations) {
        return bytes + operations * 12;
    }

    struct Page {
        uint32_t block;
        int32_t handle;  // the host's name of the locked page (a buffer number)
        uint32_t begin, end;
        bool is_init;        // the script starts with init: what was on the page does not matter
        bool can_fail;       // a transform reads the page, which may be damaged
        bool wants_cleanup;  // replay waits until nobody else has the page pinned
    };

    explicit PageEdit(std::span<std::byte> memory, EditKind kind = EditKind::page)
        : memory_(memory), kind_(kind) {}

    // Directs the following operations to this page; pages are visited in any order but each in one
    // go. Returns false when four other pages are already part of the edit.
    template <class WriteGuard>
    bool page(const WriteGuard& guard) {
        return start_page(guard.block(), guard.handle());
    }

    void init(PageKind kind, uint8_t version, uint32_t index_id);
    void write(size_t offset, std::span<const std::byte> bytes);
    template <class T>
    void write_value(size_t offset, const T& value) {
        static_assert(std::is_trivially_copyable_v<T>);
        write(offset, std::as_bytes(std::span<const T, 1>(&value, 1)));
    }
    void fill(size_t offset, size_t length, uint8_t value);
    void move(size_t from, size_t to, size_t length);
    void insert(size_t at, size_t end, std::span<const std::byte> bytes);
    void erase(size_t at, size_t end, size_t length);
    // Nibble i of `packed` (low nibble of byte i / 2 first) goes to the low (half 0) or high (half
    // 1) nibble of the byte at offset + i * stride; the other half of that byte stays.
    void nibbles(size_t offset, size_t stride, size_t half, size_t count,
                 std::span<const std::byte> packed);
    void bounds(size_t lower, size_t upper);
    void transform(uint8_t id, uint8_t version, std::span<const std::byte> arguments);

    // Replay of this edit on a standby needs a cleanup lock on the current page, because a scan
    // there may stand on a row that the edit moves or removes.
    void wait_for_pins();
    // The edit removes rows that were deleted by transactions up to `horizon`: replay on a standby
    // first ends the queries that may still see such rows. Not needed for what VACUUM removes,
    // because the table's own record did that already.
    void end_older_queries(uint32_t horizon, TableKind table) {
        horizon_ = horizon, table_ = table;
    }

    void set_kind(EditKind kind) { kind_ = kind; }
    EditKind kind() const { return kind_; }
    uint32_t horizon() const { return horizon_; }  // 0: none
    TableKind table() const { return table_; }

    std::span<const Page> pages() const { return {pages_, page_count_}; }
    std::span<const std::byte> script(size_t page) const {
        return memory_.subspan(pages_[page].begin, pages_[page].end - pages_[page].begin);
    }
    bool empty() const { return page_count_ == 0; }
    // Makes the edit empty; its kind stays.
    void reset() { page_count_ = 0, used_ = 0, horizon_ = 0, table_ = TableKind::ordinary; }

  private:
    bool start_page(uint32_t block, int32_t handle);
    // Appends `count` bytes of operation head and returns where to put them.
    std::byte* append(size_t count);

    std::span<std::byte> memory_;
    Page pages_[pages_max] = {};
    size_t page_count_ = 0;
    size_t used_ = 0;
    uint32_t horizon_ = 0;
    TableKind table_ = TableKind::ordinary;
    EditKind kind_;
};

}  // namespace pagoda

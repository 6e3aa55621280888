// Writing byte streams through PageEdit. The editor locks each page it writes and keeps it locked
// until commit(); one edit takes at most PageEdit::pages_max pages, so a caller counts pages first
// and commits bytes that nothing points to yet in edits of their own.
#pragma once

#include <algorithm>
#include <optional>
#include <span>

#include "core/ivf/stream.h"
#include "core/page/edit.h"

namespace pagoda::ivf {

// Pages that `bytes` bytes from `position` touch.
inline uint32_t pages_touched(Position position, uint64_t bytes) {
    return bytes == 0 ? 0
                      : static_cast<uint32_t>(divide_up(position.offset + bytes, content_bytes));
}

template <PageStore S>
class StreamEditor {
  public:
    // `script` is memory for the scripts of one edit (PageEdit::memory_for).
    StreamEditor(S& store, uint32_t index_id, std::span<std::byte> script, EditKind kind)
        : store_(&store), index_id_(index_id), edit_(script, kind) {}

    PageEdit& edit() { return edit_; }

    // Makes a page that the caller has locked part of the edit; following direct operations on
    // edit() go to it.
    void use(const typename S::WriteGuard& guard) { check_always(edit_.page(guard)); }

    // Locks `block` (once) and directs edit() to it.
    void open(uint32_t block) {
        for (auto& guard : guards_) {
            if (guard && guard->block() == block) return use(*guard);
        }
        auto& free = *std::find_if(std::begin(guards_), std::end(guards_),
                                   [](const auto& guard) { return !guard.has_value(); });
        free.emplace(store_->lock(block));
        expect_page(*store_, free->bytes(), PageKind::ivf_stream, page_version, index_id_, block);
        use(*free);
    }

    void write(Position position, std::span<const std::byte> bytes) {
        each_piece(position, bytes.size(), [&](size_t offset, size_t done, size_t count) {
            edit_.write(offset, bytes.subspan(done, count));
        });
    }

    void fill(Position position, size_t bytes, uint8_t value) {
        each_piece(position, bytes,
                   [&](size_t offset, size_t, size_t count) { edit_.fill(offset, count, value); });
    }

    // Nibble r of `packed` into row r (16 bytes each) of a FastScan group at `position`, for the
    // lane. `rows` nibbles from nibble `first_row` on; all rows on at most pages_max pages.
    void write_lane(Position position, uint32_t lane, size_t first_row, size_t rows,
                    std::span<const std::byte> packed) {
        const Position begin = advance(position, first_row * 16);
        each_piece(begin, rows * 16, [&](size_t offset, size_t done, size_t count) {
            std::byte piece[content_bytes / 16 / 2 + 1];
            const size_t piece_rows = count / 16;
            copy_nibbles(packed, first_row + done / 16, piece_rows, piece);
            edit_.nibbles(offset + lane % 16, 16, lane / 16, piece_rows,
                          std::span<const std::byte>(piece, (piece_rows + 1) / 2));
        });
    }

    // Commits what was written, if anything, and unlocks the pages this editor locked.
    void commit() {
        if (!edit_.empty()) store_->commit(edit_);
        edit_.reset();
        for (auto& guard : guards_) guard.reset();
    }

  private:
    template <class Write>
    void each_piece(Position position, size_t bytes, Write write) {
        for (size_t done = 0; done < bytes;) {
            if (position.offset == content_bytes) position = {position.block + 1, 0};
            const size_t count = std::min<size_t>(bytes - done, content_bytes - position.offset);
            open(position.block);
            write(content_begin + position.offset, done, count);
            position.offset += static_cast<uint32_t>(count);
            done += count;
        }
    }

    static void copy_nibbles(std::span<const std::byte> source, size_t first, size_t count,
                             std::byte* target) {
        for (size_t i = 0; i < count; i += 2) {
            const auto nibble = [&](size_t at) {
                return at < first + count
                           ? std::to_integer<unsigned>(source[at / 2]) >> (at % 2 * 4) & 15u
                           : 0u;
            };
            target[i / 2] = static_cast<std::byte>(nibble(first + i) | nibble(first + i + 1) << 4);
        }
    }

    S* store_;
    uint32_t index_id_;
    PageEdit edit_;
    std::optional<typename S::WriteGuard> guards_[PageEdit::pages_max];
};

}  // namespace pagoda::ivf

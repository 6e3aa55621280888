// Reading byte streams over page contents. A cursor keeps one page pinned and share-locked and
// hands out contiguous pieces of it; nothing assumes that a record fits a page.
#pragma once

#include <algorithm>
#include <optional>
#include <span>

#include "core/ivf/format.h"
#include "core/page/store.h"

namespace pagoda::ivf {

// The place `bytes` further in a stream over consecutive blocks.
inline Position advance(Position position, uint64_t bytes) {
    const uint64_t at = position.offset + bytes;
    return {position.block + static_cast<uint32_t>(at / content_bytes),
            static_cast<uint32_t>(at % content_bytes)};
}

// The place of byte `at` of a stream of runs; block no_block when the runs end before it.
inline Position locate(const Stream& stream, uint64_t at) {
    uint64_t page = at / content_bytes;
    for (uint32_t i = 0; i < std::min(stream.run_count, stream_runs_max); i++) {
        if (page < stream.runs[i].pages) {
            return {stream.runs[i].block + static_cast<uint32_t>(page),
                    static_cast<uint32_t>(at % content_bytes)};
        }
        page -= stream.runs[i].pages;
    }
    return {no_block, 0};
}

template <PageStore S>
class Cursor {
  public:
    // Over consecutive blocks from `start`.
    Cursor(S& store, uint32_t index_id, Position start)
        : store_(&store), index_id_(index_id), at_(start) {}

    // From byte `byte` of a stream of runs; `stream` must outlive the cursor.
    Cursor(S& store, uint32_t index_id, const Stream& stream, uint64_t byte)
        : store_(&store), index_id_(index_id), stream_(&stream), byte_(byte) {
        at_ = locate(stream, byte);
    }

    // The next contiguous bytes: at least 1, at most `wanted`. Valid until the next call; the page
    // stays locked until then.
    std::span<const std::byte> take(size_t wanted) {
        check(wanted > 0);
        open_page();
        const size_t count = std::min<size_t>(wanted, content_bytes - at_.offset);
        const auto piece = guard_->bytes().subspan(content_begin + at_.offset, count);
        at_.offset += static_cast<uint32_t>(count);
        byte_ += count;
        return piece;
    }

    void copy(std::span<std::byte> out) {
        while (!out.empty()) {
            const auto piece = take(out.size());
            std::copy(piece.begin(), piece.end(), out.begin());
            out = out.subspan(piece.size());
        }
    }

    // The next `count` bytes in one piece: on the page where they lie whole, else gathered in
    // `buffer` (at least `count` bytes).
    const std::byte* whole(size_t count, std::span<std::byte> buffer) {
        const auto piece = take(count);
        if (piece.size() == count) return piece.data();
        std::copy(piece.begin(), piece.end(), buffer.begin());
        copy(buffer.subspan(piece.size(), count - piece.size()));
        return buffer.data();
    }

    void skip(uint64_t count) {
        if (stream_ != nullptr) {
            byte_ += count;
            move_to(locate(*stream_, byte_));
        } else {
            move_to(advance(at_, count));
        }
    }

    // Unlocks the page; the cursor goes on from the same place when used again.
    void release() { guard_.reset(); }

    Position position() const { return at_; }

  private:
    void move_to(Position target) {
        if (guard_ && target.block != at_.block) guard_.reset();
        at_ = target;
    }

    void open_page() {
        if (at_.offset == content_bytes) {
            guard_.reset();
            at_ = stream_ != nullptr ? locate(*stream_, byte_) : Position{at_.block + 1, 0};
        }
        if (guard_) return;
        if (at_.block == no_block) {
            store_->fail(
                Error{ErrorCode::corrupt_page, meta_block, "streams that cover their bytes"});
        }
        guard_.emplace(store_->read(at_.block));
        expect_page(*store_, guard_->bytes(), PageKind::ivf_stream, page_version, index_id_,
                    at_.block);
    }

    S* store_;
    uint32_t index_id_;
    const Stream* stream_ = nullptr;
    uint64_t byte_ = 0;
    Position at_;
    std::optional<typename S::ReadGuard> guard_;
};

template <PageStore S>
void read_bytes(S& store, uint32_t index_id, Position position, std::span<std::byte> out) {
    Cursor<S> cursor(store, index_id, position);
    cursor.copy(out);
}

}  // namespace pagoda::ivf

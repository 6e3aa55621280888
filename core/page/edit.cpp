// Script building and the one interpreter that serves doing and redo.
#include "core/page/edit.h"

#include <algorithm>

#include "core/page/script.h"

namespace pagoda {

namespace {

bool in_bounds(size_t offset, size_t length) {
    return offset >= page_header_bytes && offset <= content_end && length <= content_end - offset;
}

Error bad_script(const char* expected) {
    return {ErrorCode::corrupt_page, no_block, expected};
}

Status apply_init(PageBytes page, ScriptReader& script) {
    const auto kind = script.take<uint8_t>();
    const auto version = script.take<uint8_t>();
    const auto flags = script.take<uint16_t>();
    const auto index_id = script.take<uint32_t>();
    if (script.failed() || flags != 0) return bad_script("a whole init operation without flags");
    init_page(page, static_cast<PageKind>(kind), version, index_id);
    return {};
}

Status apply_write(PageBytes page, ScriptReader& script) {
    const size_t offset = script.take<uint16_t>();
    const auto bytes = script.take_bytes(script.take<uint16_t>());
    if (script.failed() || !in_bounds(offset, bytes.size())) return bad_script("a write in bounds");
    std::copy(bytes.begin(), bytes.end(), page.begin() + offset);
    return {};
}

Status apply_fill(PageBytes page, ScriptReader& script) {
    const size_t offset = script.take<uint16_t>();
    const size_t length = script.take<uint16_t>();
    const auto value = script.take<uint8_t>();
    if (script.failed() || !in_bounds(offset, length)) return bad_script("a fill in bounds");
    std::memset(page.data() + offset, value, length);
    return {};
}

Status apply_move(PageBytes page, ScriptReader& script) {
    const size_t from = script.take<uint16_t>();
    const size_t to = script.take<uint16_t>();
    const size_t length = script.take<uint16_t>();
    if (script.failed() || !in_bounds(from, length) || !in_bounds(to, length)) {
        return bad_script("a move in bounds");
    }
    std::memmove(page.data() + to, page.data() + from, length);
    return {};
}

Status apply_insert(PageBytes page, ScriptReader& script) {
    const size_t at = script.take<uint16_t>();
    const size_t end = script.take<uint16_t>();
    const auto bytes = script.take_bytes(script.take<uint16_t>());
    if (script.failed() || at > end || !in_bounds(at, end - at + bytes.size())) {
        return bad_script("an insert in bounds");
    }
    std::memmove(page.data() + at + bytes.size(), page.data() + at, end - at);
    std::copy(bytes.begin(), bytes.end(), page.begin() + at);
    return {};
}

Status apply_erase(PageBytes page, ScriptReader& script) {
    const size_t at = script.take<uint16_t>();
    const size_t end = script.take<uint16_t>();
    const size_t length = script.take<uint16_t>();
    if (script.failed() || at > end || length > end - at || !in_bounds(at, end - at)) {
        return bad_script("an erase in bounds");
    }
    std::memmove(page.data() + at, page.data() + at + length, end - at - length);
    return {};
}

Status apply_nibbles(PageBytes page, ScriptReader& script) {
    const size_t offset = script.take<uint16_t>();
    const size_t stride = script.take<uint8_t>();
    const size_t half = script.take<uint8_t>();
    const size_t count = script.take<uint16_t>();
    const auto packed = script.take_bytes((count + 1) / 2);
    if (script.failed() || half > 1 || stride == 0 || count == 0) {
        return bad_script("a whole nibbles operation");
    }
    if (!in_bounds(offset, (count - 1) * stride + 1)) return bad_script("nibbles in bounds");
    const unsigned shift = half * 4;
    for (size_t i = 0; i < count; i++) {
        const unsigned nibble = (std::to_integer<unsigned>(packed[i / 2]) >> (i % 2 * 4)) & 15;
        std::byte& target = page[offset + i * stride];
        const unsigned kept = std::to_integer<unsigned>(target) & (0xF0u >> shift);
        target = static_cast<std::byte>(kept | (nibble << shift));
    }
    return {};
}

Status apply_bounds(PageBytes page, ScriptReader& script) {
    const auto lower = script.take<uint16_t>();
    const auto upper = script.take<uint16_t>();
    if (script.failed() || lower < page_header_bytes || lower > upper || upper > content_end) {
        return bad_script("ordered page bounds");
    }
    store(page.data() + pd_lower_offset, lower);
    store(page.data() + pd_upper_offset, upper);
    return {};
}

Status apply_transform(PageBytes page, ScriptReader& script, TransformTable transforms) {
    const auto id = script.take<uint8_t>();
    const auto version = script.take<uint8_t>();
    const auto arguments = script.take_bytes(script.take<uint16_t>());
    if (script.failed()) return bad_script("a whole transform operation");
    for (const Transform& transform : transforms) {
        if (transform.id == id && transform.version == version) {
            return transform.apply(page, arguments);
        }
    }
    return Error{ErrorCode::unknown_version, no_block, "a registered transform"};
}

Status apply_operation(PageBytes page, ScriptReader& script, TransformTable transforms) {
    switch (script.take<uint8_t>()) {
        case op_init:
            return apply_init(page, script);
        case op_write:
            return apply_write(page, script);
        case op_fill:
            return apply_fill(page, script);
        case op_move:
            return apply_move(page, script);
        case op_insert:
            return apply_insert(page, script);
        case op_erase:
            return apply_erase(page, script);
        case op_nibbles:
            return apply_nibbles(page, script);
        case op_bounds:
            return apply_bounds(page, script);
        case op_transform:
            return apply_transform(page, script, transforms);
        default:
            return bad_script("a known operation");
    }
}

}  // namespace

Status apply_script(PageBytes page, std::span<const std::byte> script, TransformTable transforms) {
    ScriptReader reader(script);
    while (!reader.at_end()) {
        if (Status status = apply_operation(page, reader, transforms); !status) return status;
    }
    return {};
}

bool PageEdit::start_page(uint32_t block, int32_t handle) {
    if (page_count_ > 0 && pages_[page_count_ - 1].block == block) return true;
    for (size_t i = 0; i < page_count_; i++) check_always(pages_[i].block != block);
    if (page_count_ == pages_max) return false;
    const auto at = static_cast<uint32_t>(used_);
    pages_[page_count_++] = {block, handle, at, at, false, false, false};
    return true;
}

std::byte* PageEdit::append(size_t count) {
    check_always(page_count_ > 0);
    check_always(count <= memory_.size() - used_);
    std::byte* at = memory_.data() + used_;
    used_ += count;
    pages_[page_count_ - 1].end = static_cast<uint32_t>(used_);
    return at;
}

namespace {

// Stores the arguments of an operation one behind the other.
template <class... Values>
void put(std::byte* at, Values... values) {
    ((store(at, values), at += sizeof(values)), ...);
}

uint16_t u16(size_t value) {
    check_always(value <= 0xFFFF);
    return static_cast<uint16_t>(value);
}

}  // namespace

void PageEdit::init(PageKind kind, uint8_t version, uint32_t index_id) {
    check_always(page_count_ > 0);
    Page& page = pages_[page_count_ - 1];
    if (page.begin == page.end) page.is_init = true;
    put(append(9), uint8_t{op_init}, kind, version, uint16_t{0}, index_id);
}

void PageEdit::write(size_t offset, std::span<const std::byte> bytes) {
    check_always(in_bounds(offset, bytes.size()));
    std::byte* at = append(5 + bytes.size());
    put(at, uint8_t{op_write}, u16(offset), u16(bytes.size()));
    std::copy(bytes.begin(), bytes.end(), at + 5);
}

void PageEdit::fill(size_t offset, size_t length, uint8_t value) {
    check_always(in_bounds(offset, length));
    put(append(6), uint8_t{op_fill}, u16(offset), u16(length), value);
}

void PageEdit::move(size_t from, size_t to, size_t length) {
    check_always(in_bounds(from, length) && in_bounds(to, length));
    put(append(7), uint8_t{op_move}, u16(from), u16(to), u16(length));
}

void PageEdit::insert(size_t at, size_t end, std::span<const std::byte> bytes) {
    check_always(at <= end && in_bounds(at, end - at + bytes.size()));
    std::byte* target = append(7 + bytes.size());
    put(target, uint8_t{op_insert}, u16(at), u16(end), u16(bytes.size()));
    std::copy(bytes.begin(), bytes.end(), target + 7);
}

void PageEdit::erase(size_t at, size_t end, size_t length) {
    check_always(at <= end && length <= end - at && in_bounds(at, end - at));
    put(append(7), uint8_t{op_erase}, u16(at), u16(end), u16(length));
}

void PageEdit::nibbles(size_t offset, size_t stride, size_t half, size_t count,
                       std::span<const std::byte> packed) {
    check_always(count > 0 && half < 2 && stride > 0 && stride < 256);
    check_always(in_bounds(offset, (count - 1) * stride + 1));
    check_always(packed.size() == (count + 1) / 2);
    std::byte* at = append(7 + packed.size());
    put(at, uint8_t{op_nibbles}, u16(offset), static_cast<uint8_t>(stride),
        static_cast<uint8_t>(half), u16(count));
    std::copy(packed.begin(), packed.end(), at + 7);
}

void PageEdit::bounds(size_t lower, size_t upper) {
    check_always(lower >= page_header_bytes && lower <= upper && upper <= content_end);
    put(append(5), uint8_t{op_bounds}, u16(lower), u16(upper));
}

void PageEdit::transform(uint8_t id, uint8_t version, std::span<const std::byte> arguments) {
    std::byte* at = append(5 + arguments.size());
    put(at, uint8_t{op_transform}, id, version, u16(arguments.size()));
    std::copy(arguments.begin(), arguments.end(), at + 5);
    pages_[page_count_ - 1].can_fail = true;
}

void PageEdit::wait_for_pins() {
    check_always(page_count_ > 0);
    pages_[page_count_ - 1].wants_cleanup = true;
}

}  // namespace pagoda

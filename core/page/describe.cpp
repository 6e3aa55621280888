// Words for the operations of a script.
#include "core/page/describe.h"

#include <charconv>
#include <cstring>
#include <iterator>
#include <string_view>

#include "core/page/script.h"

namespace pagoda {

namespace {

// Puts words and numbers one behind the other. The texts of all operations fit (describe_test).
class TextWriter {
  public:
    explicit TextWriter(std::span<char, operation_text_bytes> text) : text_(text) { text_[0] = 0; }

    TextWriter& operator<<(std::string_view word) {
        check_always(word.size() < text_.size() - used_);
        std::memcpy(text_.data() + used_, word.data(), word.size());
        used_ += word.size();
        text_[used_] = 0;
        return *this;
    }
    TextWriter& operator<<(size_t number) {
        char digits[20];
        const auto end = std::to_chars(digits, digits + sizeof(digits), number).ptr;
        return *this << std::string_view(digits, static_cast<size_t>(end - digits));
    }

  private:
    std::span<char> text_;
    size_t used_ = 0;
};

size_t take_u8(ScriptReader& reader) {
    return reader.take<uint8_t>();
}

size_t take_u16(ScriptReader& reader) {
    return reader.take<uint16_t>();
}

void describe_init(ScriptReader& reader, TextWriter& text) {
    const size_t kind = take_u8(reader), version = take_u8(reader);
    reader.take_bytes(6);
    text << "init kind " << kind << " version " << version;
}

void describe_write(ScriptReader& reader, TextWriter& text) {
    const size_t offset = take_u16(reader), length = take_u16(reader);
    reader.take_bytes(length);
    text << "write " << offset << "+" << length;
}

void describe_fill(ScriptReader& reader, TextWriter& text) {
    const size_t offset = take_u16(reader), length = take_u16(reader), value = take_u8(reader);
    text << "fill " << offset << "+" << length << " with " << value;
}

void describe_move(ScriptReader& reader, TextWriter& text) {
    const size_t from = take_u16(reader), to = take_u16(reader), length = take_u16(reader);
    text << "move " << from << "+" << length << " to " << to;
}

void describe_insert(ScriptReader& reader, TextWriter& text) {
    const size_t at = take_u16(reader), end = take_u16(reader), length = take_u16(reader);
    reader.take_bytes(length);
    text << "insert " << at << "+" << length << " end " << end;
}

void describe_erase(ScriptReader& reader, TextWriter& text) {
    const size_t at = take_u16(reader), end = take_u16(reader), length = take_u16(reader);
    text << "erase " << at << "+" << length << " end " << end;
}

void describe_nibbles(ScriptReader& reader, TextWriter& text) {
    const size_t offset = take_u16(reader), stride = take_u8(reader), half = take_u8(reader);
    const size_t count = take_u16(reader);
    reader.take_bytes((count + 1) / 2);
    text << "nibbles " << offset << "+" << count << "x" << stride << (half == 0 ? " low" : " high");
}

void describe_bounds(ScriptReader& reader, TextWriter& text) {
    const size_t lower = take_u16(reader), upper = take_u16(reader);
    text << "bounds " << lower << " " << upper;
}

void describe_transform(ScriptReader& reader, TextWriter& text) {
    const size_t id = take_u8(reader), version = take_u8(reader), length = take_u16(reader);
    reader.take_bytes(length);
    text << "transform " << id << " version " << version << " (" << length << " bytes)";
}

// By operation code.
using Describe = void (*)(ScriptReader&, TextWriter&);
constexpr Describe describers[] = {
    nullptr,         describe_init,  describe_write,   describe_fill,   describe_move,
    describe_insert, describe_erase, describe_nibbles, describe_bounds, describe_transform,
};
static_assert(std::size(describers) == op_transform + 1);

}  // namespace

void describe_operation(std::span<const std::byte>& script,
                        std::span<char, operation_text_bytes> text) {
    ScriptReader reader(script);
    const size_t code = take_u8(reader);
    if (code > 0 && code < std::size(describers)) {
        TextWriter words(text);
        describers[code](reader, words);
        if (!reader.failed()) {
            script = reader.rest();
            return;
        }
    }
    TextWriter(text) << "damaged (" << script.size() << " bytes)";
    script = {};
}

const char* edit_kind_name(uint8_t kind) {
    switch (static_cast<EditKind>(kind)) {
        case EditKind::page:
            return "PAGE";
        case EditKind::init:
            return "INIT";
        case EditKind::insert:
            return "INSERT";
        case EditKind::prepare:
            return "PREPARE";
        case EditKind::vacuum:
            return "VACUUM";
        case EditKind::extent:
            return "EXTENT";
        case EditKind::meta:
            return "META";
    }
    return nullptr;
}

}  // namespace pagoda

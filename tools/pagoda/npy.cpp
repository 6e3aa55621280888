// Parser of .npy headers. The dictionary is Python source; numpy always writes the same plain form,
// so a scanner of strings, names, numbers and punctuation is enough, and anything else is refused.
#include "tools/pagoda/npy.h"

#include <cstring>
#include <limits>
#include <string_view>

#include "core/base/bits.h"
#include "core/vector/half.h"

namespace pagoda::tool {
namespace {

constexpr std::string_view magic = "\x93NUMPY";
constexpr size_t prefix_bytes = 8;  // magic and two version bytes

Error syntax_error(const char* expected) {
    return Error{ErrorCode::invalid_syntax, no_block, expected};
}

struct Header {
    bool has_type = false, has_order = false, has_shape = false;
    ElementType type = ElementType::f32;
    size_t rows = 0, columns = 0;
};

class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text) {}

    bool take(char c) {
        skip_space();
        if (text_.empty() || text_.front() != c) return false;
        text_.remove_prefix(1);
        return true;
    }
    bool take_word(std::string_view word) {
        skip_space();
        if (!text_.starts_with(word)) return false;
        text_.remove_prefix(word.size());
        return true;
    }
    bool take_string(std::string_view& out) {
        skip_space();
        if (text_.empty() || (text_.front() != '\'' && text_.front() != '"')) return false;
        const size_t end = text_.find(text_.front(), 1);
        if (end == std::string_view::npos) return false;
        out = text_.substr(1, end - 1);
        text_.remove_prefix(end + 1);
        return true;
    }
    bool take_number(size_t& out) {
        skip_space();
        size_t digits = 0;
        out = 0;
        while (digits < text_.size() && text_[digits] >= '0' && text_[digits] <= '9') {
            const size_t digit = size_t(text_[digits] - '0');
            if (out > (std::numeric_limits<size_t>::max() - digit) / 10) return false;
            out = out * 10 + digit;
            ++digits;
        }
        text_.remove_prefix(digits);
        return digits > 0;
    }
    bool at_end() {
        skip_space();
        return text_.empty();
    }

  private:
    void skip_space() {
        while (!text_.empty() && (text_.front() == ' ' || text_.front() == '\n')) {
            text_.remove_prefix(1);
        }
    }
    std::string_view text_;
};

Status parse_type(Scanner& scanner, Header& header) {
    std::string_view name;
    if (!scanner.take_string(name)) return syntax_error("an element type in quotes");
    if (name == "<f2") {
        header.type = ElementType::f16;
    } else if (name == "<f4") {
        header.type = ElementType::f32;
    } else if (name == "|u1") {
        header.type = ElementType::u8;
    } else {
        return syntax_error("element type '<f2', '<f4' or '|u1'");
    }
    header.has_type = true;
    return {};
}

Status parse_shape(Scanner& scanner, Header& header) {
    const bool two = scanner.take('(') && scanner.take_number(header.rows) && scanner.take(',') &&
                     scanner.take_number(header.columns);
    if (!two) return syntax_error("a shape of two dimensions");
    scanner.take(',');
    if (!scanner.take(')')) return syntax_error("a shape of two dimensions");
    header.has_shape = true;
    return {};
}

Status parse_entry(Scanner& scanner, std::string_view key, Header& header) {
    if (key == "descr") return parse_type(scanner, header);
    if (key == "shape") return parse_shape(scanner, header);
    if (key != "fortran_order") return syntax_error("key descr, fortran_order or shape");
    if (!scanner.take_word("False")) return syntax_error("an array in C order");
    header.has_order = true;
    return {};
}

Result<Header> parse_dictionary(std::string_view text) {
    Scanner scanner(text);
    Header header;
    if (!scanner.take('{')) return syntax_error("a dictionary in the header");
    while (!scanner.take('}')) {
        std::string_view key;
        if (!scanner.take_string(key) || !scanner.take(':')) {
            return syntax_error("a key and a colon in the header");
        }
        const Status entry = parse_entry(scanner, key, header);
        if (!entry) return entry.error();
        if (scanner.take(',')) continue;
        if (!scanner.take('}')) return syntax_error("a comma or the end of the dictionary");
        break;
    }
    if (!scanner.at_end()) return syntax_error("nothing after the dictionary");
    if (!header.has_type || !header.has_order || !header.has_shape) {
        return syntax_error("keys descr, fortran_order and shape");
    }
    return header;
}

bool multiply_overflows(size_t a, size_t b) {
    return b != 0 && a > std::numeric_limits<size_t>::max() / b;
}

}  // namespace

Result<MatrixView> parse_npy(std::span<const std::byte> file) {
    const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
    if (file.size() < prefix_bytes + 4 || !text.starts_with(magic)) {
        return syntax_error("a file that begins with the magic of .npy");
    }
    const auto version = uint8_t(file[6]);
    if (version < 1 || version > 3) return syntax_error("header version 1, 2 or 3");
    const size_t length_bytes = version == 1 ? 2 : 4;
    const size_t header_bytes = version == 1 ? load<uint16_t>(file.data() + prefix_bytes)
                                             : load<uint32_t>(file.data() + prefix_bytes);
    const size_t header_at = prefix_bytes + length_bytes;
    if (header_bytes > file.size() - header_at) return syntax_error("the whole header in the file");

    const Result<Header> header = parse_dictionary(text.substr(header_at, header_bytes));
    if (!header) return header.error();
    MatrixView view{header.value().type, header.value().rows, header.value().columns, {}};
    const size_t element = element_bytes(view.type);
    if (multiply_overflows(view.rows, view.columns) ||
        multiply_overflows(view.rows * view.columns, element)) {
        return Error{ErrorCode::too_large, no_block, "a shape that fits the address space"};
    }
    view.data = file.subspan(header_at + header_bytes);
    if (view.data.size() != view.rows * view.columns * element) {
        return syntax_error("as many elements as the shape says");
    }
    return view;
}

std::span<const std::byte> MatrixView::row(size_t index) const {
    check(index < rows);
    const size_t bytes = columns * element_bytes(type);
    return data.subspan(index * bytes, bytes);
}

void MatrixView::copy_row(size_t index, std::span<float> target) const {
    check(target.size() == columns);
    const std::byte* source = row(index).data();
    for (size_t i = 0; i < columns; ++i) {
        switch (type) {
            case ElementType::f16:
                target[i] = to_float(Half{load<uint16_t>(source + 2 * i)});
                break;
            case ElementType::f32:
                target[i] = load<float>(source + 4 * i);
                break;
            case ElementType::u8:
                target[i] = float(uint8_t(source[i]));
                break;
        }
    }
}

MatrixView MatrixView::first_rows(size_t count) const {
    check(count <= rows);
    return {type, count, columns, data.first(count * columns * element_bytes(type))};
}

}  // namespace pagoda::tool

// The text form of dense vectors: "[1,2.5,-3e-05]".
//
// Input allows white space (space, tab, newline, carriage return, vertical tab, form feed) around
// the brackets, commas and numbers. The first fault from left to right is reported; the count of
// elements is limited before an element is read. Output has no white space.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/vector/element.h"

namespace pagoda {

enum class TextFault : uint8_t {
    none,
    syntax,             // a number, comma or closing bracket is missing
    missing_bracket,    // the text does not start with "["
    trailing_text,      // something follows the closing bracket
    no_elements,        // "[]"
    too_many_elements,  // more than dimensions_max
    out_of_range,       // a number that the element type cannot hold; `literal` has it
    not_a_number,
    infinite,
};

struct ParsedText {
    TextFault fault = TextFault::none;
    size_t count = 0;               // elements stored, when fault is none
    std::string_view literal = {};  // the number at fault, within the input
};

// An upper bound of the number of elements in `text`, exact when the text is valid and never above
// dimensions_max. Sizes the memory for parse_text.
size_t count_elements(std::string_view text);

// Reads `text` into `target`, which has at least count_elements(text) elements.
template <Element E>
ParsedText parse_text(std::string_view text, std::span<E> target);

// Writes the shortest decimal form of a float that reads back as the same float, without
// terminating zero, and returns the number of bytes (at most number_bytes_max). The host gives
// it, so that the server's vectors look like the server's other floats.
using PrintNumber = int (*)(float value, char* target);
inline constexpr size_t number_bytes_max = 16;

// Bytes that print_text may write for `count` elements: brackets, numbers, commas.
constexpr size_t text_bytes_max(size_t count) {
    return 2 + count * (number_bytes_max + 1);
}

// Writes the text form to `target` (text_bytes_max(values.size()) bytes) and returns its length.
// Halves are printed as the float of the same value.
template <Element E>
size_t print_text(std::span<const E> values, std::span<char> target, PrintNumber print_number);

}  // namespace pagoda

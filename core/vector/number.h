// Reads one float from text, independent of any locale and without a terminating zero.
//
// Accepted: what strtof reads in the C locale, except leading white space: an optional sign,
// then decimal digits with optional point and exponent, or a hexadecimal float (0x1.8p3), or
// "inf", "infinity", "nan" in any case. The longest valid prefix is taken, so "1e" reads as 1
// followed by "e". The result is the nearest float, ties to even.
#pragma once

#include <cstdint>
#include <string_view>

namespace pagoda {

enum class NumberKind : uint8_t {
    finite,    // value is the number; an underflow gives a zero with the sign of the input
    overflow,  // the magnitude rounds beyond the largest float; value is infinite
    infinite,  // the word for infinity was read
    not_a_number,
    missing,  // no number starts here; length is 0
};

struct Number {
    NumberKind kind;
    float value;
    size_t length;  // characters read; for the words at least their short form
};

Number read_number(std::string_view text);

}  // namespace pagoda

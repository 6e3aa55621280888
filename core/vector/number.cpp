// A locale-free strtof on std::from_chars, which lacks signs, words, the hexadecimal prefix and a
// difference between overflow and underflow.
#include "core/vector/number.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>

#include "core/base/check.h"

namespace pagoda {
namespace {

constexpr char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

constexpr bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

constexpr bool is_hex_digit(char c) {
    return is_digit(c) || (lower(c) >= 'a' && lower(c) <= 'f');
}

bool starts_with_word(std::string_view text, std::string_view word) {
    if (text.size() < word.size()) return false;
    return std::equal(word.begin(), word.end(), text.begin(),
                      [](char expected, char found) { return expected == lower(found); });
}

// "0x" counts as the start of a hexadecimal number only when a digit follows.
bool is_hexadecimal(std::string_view text) {
    if (text.size() < 3 || text[0] != '0' || lower(text[1]) != 'x') return false;
    return is_hex_digit(text[2]) || (text[2] == '.' && text.size() > 3 && is_hex_digit(text[3]));
}

// The length of the hexadecimal number that `text` starts with, prefix excluded. The exponent
// belongs to it only when it has digits. Some versions of std::from_chars take "p+-1" for an
// exponent, so they are given no more than this.
size_t hexadecimal_length(std::string_view text) {
    size_t length = 0;
    bool fraction = false;
    for (; length < text.size(); ++length) {
        const bool is_point = text[length] == '.' && !fraction;
        if (!is_point && !is_hex_digit(text[length])) break;
        fraction = fraction || is_point;
    }
    size_t end = length;
    if (end == text.size() || lower(text[end]) != 'p') return length;
    ++end;
    if (end < text.size() && (text[end] == '-' || text[end] == '+')) ++end;
    if (end == text.size() || !is_digit(text[end])) return length;
    while (end < text.size() && is_digit(text[end])) ++end;
    return end;
}

// Whether the magnitude of a number that no float holds is above one (an overflow) or below (an
// underflow). `text` is the whole number without sign and prefix. The exponent of the first
// significant digit decides: it is far from zero, as the number is beyond the range of floats.
bool is_above_one(std::string_view text, bool hexadecimal) {
    const char exponent_mark = hexadecimal ? 'p' : 'e';
    const int64_t digit_weight = hexadecimal ? 4 : 1;
    int64_t digits = 0;  // before the point, from the first significant one
    int64_t zeros = 0;   // after the point, before the first significant digit
    bool significant = false, fraction = false;
    size_t i = 0;
    for (; i < text.size() && lower(text[i]) != exponent_mark; ++i) {
        if (text[i] == '.') {
            fraction = true;
            continue;
        }
        significant = significant || text[i] != '0';
        if (significant && !fraction) ++digits;
        if (!significant && fraction) ++zeros;
    }
    int64_t exponent = 0;
    bool negative = false;
    for (++i; i < text.size(); ++i) {
        if (text[i] == '-') negative = true;
        if (!is_digit(text[i])) continue;
        // Capped well above any length of text, so that the sum below cannot wrap.
        exponent = std::min<int64_t>(exponent * 10 + (text[i] - '0'), int64_t{1} << 40);
    }
    return (digits - zeros) * digit_weight + (negative ? -exponent : exponent) > 0;
}

Number read_digits(std::string_view text, size_t prefix, bool negative) {
    const bool hexadecimal = is_hexadecimal(text.substr(prefix));
    if (hexadecimal) prefix += 2;
    std::string_view digits = text.substr(prefix);
    if (hexadecimal) digits = digits.substr(0, hexadecimal_length(digits));
    // std::from_chars reads a sign and the words of its own; neither is wanted here.
    if (digits.empty() || !(is_digit(digits[0]) || digits[0] == '.' || hexadecimal)) {
        return {NumberKind::missing, 0, 0};
    }
    float value = 0;
    const auto format = hexadecimal ? std::chars_format::hex : std::chars_format::general;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), value, format);
    if (error == std::errc::invalid_argument) return {NumberKind::missing, 0, 0};
    const auto length = static_cast<size_t>(end - digits.data());
    NumberKind kind = NumberKind::finite;
    if (error == std::errc::result_out_of_range) {
        const bool overflow = is_above_one(digits.substr(0, length), hexadecimal);
        kind = overflow ? NumberKind::overflow : NumberKind::finite;
        value = overflow ? std::numeric_limits<float>::infinity() : 0.0f;
    }
    check(length > 0);
    return {kind, negative ? -value : value, prefix + length};
}

}  // namespace

Number read_number(std::string_view text) {
    size_t prefix = 0;
    bool negative = false;
    if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
        negative = text[0] == '-';
        prefix = 1;
    }
    const std::string_view rest = text.substr(prefix);
    if (starts_with_word(rest, "inf")) {
        const float infinity = std::numeric_limits<float>::infinity();
        const size_t length = starts_with_word(rest, "infinity") ? 8 : 3;
        return {NumberKind::infinite, negative ? -infinity : infinity, prefix + length};
    }
    if (starts_with_word(rest, "nan")) {
        return {NumberKind::not_a_number, std::numeric_limits<float>::quiet_NaN(), prefix + 3};
    }
    return read_digits(text, prefix, negative);
}

}  // namespace pagoda

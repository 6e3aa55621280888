// One pass over the text; nothing is read twice except a number that is out of range.
#include "core/vector/text.h"

#include <algorithm>

#include "core/base/check.h"
#include "core/vector/number.h"

namespace pagoda {
namespace {

constexpr bool is_space(char c) {
    return c == ' ' || (c >= '\t' && c <= '\r');
}

std::string_view skip_spaces(std::string_view text) {
    size_t count = 0;
    while (count < text.size() && is_space(text[count])) ++count;
    return text.substr(count);
}

TextFault fault_of(NumberKind kind) {
    switch (kind) {
        case NumberKind::finite:
            return TextFault::none;
        case NumberKind::overflow:
            return TextFault::out_of_range;
        case NumberKind::infinite:
            return TextFault::infinite;
        case NumberKind::not_a_number:
            return TextFault::not_a_number;
        case NumberKind::missing:
            break;
    }
    return TextFault::syntax;
}

// Reads one number from the start of `rest`, which moves behind it.
template <Element E>
ParsedText parse_element(std::string_view& rest, E& target) {
    const Number number = read_number(rest);
    const std::string_view literal = rest.substr(0, number.length);
    if (const TextFault fault = fault_of(number.kind); fault != TextFault::none) {
        return {fault, 0, literal};
    }
    target = to_element<E>(number.value);
    if (is_infinite(target)) return {TextFault::out_of_range, 0, literal};
    rest.remove_prefix(number.length);
    return {};
}

}  // namespace

size_t count_elements(std::string_view text) {
    const auto commas = static_cast<size_t>(std::count(text.begin(), text.end(), ','));
    return std::min(commas + 1, dimensions_max);
}

template <Element E>
ParsedText parse_text(std::string_view text, std::span<E> target) {
    check(target.size() >= count_elements(text));
    std::string_view rest = skip_spaces(text);
    if (rest.empty() || rest[0] != '[') return {TextFault::missing_bracket};
    rest = skip_spaces(rest.substr(1));
    if (!rest.empty() && rest[0] == ']') return {TextFault::no_elements};
    size_t count = 0;
    while (true) {
        if (count == dimensions_max) return {TextFault::too_many_elements};
        rest = skip_spaces(rest);
        const ParsedText element = parse_element(rest, target[count]);
        if (element.fault != TextFault::none) return element;
        ++count;
        rest = skip_spaces(rest);
        if (rest.empty() || (rest[0] != ',' && rest[0] != ']')) return {TextFault::syntax};
        const bool closed = rest[0] == ']';
        rest.remove_prefix(1);
        if (closed) break;
    }
    if (!skip_spaces(rest).empty()) return {TextFault::trailing_text};
    return {TextFault::none, count};
}

template <Element E>
size_t print_text(std::span<const E> values, std::span<char> target, PrintNumber print_number) {
    check(target.size() >= text_bytes_max(values.size()));
    char* end = target.data();
    *end++ = '[';
    for (size_t i = 0; i < values.size(); ++i) {
        if (i > 0) *end++ = ',';
        const int bytes = print_number(to_float(values[i]), end);
        check(bytes > 0 && static_cast<size_t>(bytes) <= number_bytes_max);
        end += bytes;
    }
    *end++ = ']';
    return static_cast<size_t>(end - target.data());
}

template ParsedText parse_text<float>(std::string_view, std::span<float>);
template ParsedText parse_text<Half>(std::string_view, std::span<Half>);
template size_t print_text<float>(std::span<const float>, std::span<char>, PrintNumber);
template size_t print_text<Half>(std::span<const Half>, std::span<char>, PrintNumber);

}  // namespace pagoda

// The text parser against a slow oracle that uses strtof on a copy of the rest of the text, for
// both element types; and printing against parsing. Inputs are valid texts with some bytes changed.
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "core/base/check.h"
#include "core/vector/text.h"
#include "test/support/fuzz.h"

namespace pagoda {
namespace {

const char* const seeds[] = {
    "[1,2,3]",
    "[-1.5e3, +2.25E-4,\t.5 ,5.]",
    " \n[ 0.1 ]\v",
    "[65504,65519.99,65520,-6e-8,2.98e-8]",
    "[3.4028235e38,3.4028236e38,1e-45,7e-46]",
    "[0x1.8p3,0X.8p-200,0x1p128]",
    "[nan,inf,-Infinity]",
    "[123456789012345678901234567890,0.000000000000000000000000000000000000000000001]",
    "[1e400,1e-400,0e999999999999]",
    "[]",
    "[1,2]x",
};
const char alphabet[] = "[], \t\n\v-+.eExXpPnNaAiIfFtTyY0123456789()\xC2\xA0z";

bool is_space(char c) {
    return c != '\0' && std::string_view(" \t\n\v\f\r").find(c) != std::string_view::npos;
}

// Reads with a cursor and strtof, as the grammar is described in text.h.
template <Element E>
ParsedText parse_slowly(const std::string& text, std::vector<E>& values) {
    size_t at = 0;
    const auto skip = [&] {
        while (at < text.size() && is_space(text[at])) ++at;
    };
    const auto next = [&](char c) { return at < text.size() && text[at] == c; };
    values.clear();
    skip();
    if (!next('[')) return {TextFault::missing_bracket};
    ++at;
    skip();
    if (next(']')) return {TextFault::no_elements};
    for (;;) {
        if (values.size() == dimensions_max) return {TextFault::too_many_elements};
        skip();
        const std::string rest = text.substr(at);
        char* end = nullptr;
        const float value = std::strtof(rest.c_str(), &end);
        const auto length = static_cast<size_t>(end - rest.c_str());
        if (length == 0) return {TextFault::syntax};
        if (std::isnan(value)) return {TextFault::not_a_number};
        if (std::isinf(value)) {
            const bool is_word = rest.substr(0, length).find_first_of("iI") != std::string::npos;
            return {is_word ? TextFault::infinite : TextFault::out_of_range};
        }
        values.push_back(to_element<E>(value));
        if (is_infinite(values.back())) return {TextFault::out_of_range};
        at += length;
        skip();
        if (next(']')) break;
        if (!next(',')) return {TextFault::syntax};
        ++at;
    }
    ++at;
    skip();
    if (at < text.size()) return {TextFault::trailing_text};
    return {TextFault::none, values.size()};
}

int print_shortest(float value, char* target) {
    return static_cast<int>(std::to_chars(target, target + number_bytes_max, value).ptr - target);
}

template <Element E>
bool same_bits(const std::vector<E>& a, const std::vector<E>& b) {
    return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(E)) == 0;
}

template <Element E>
void check_printing(const std::vector<E>& values) {
    std::string text(text_bytes_max(values.size()), '?');
    text.resize(print_text(std::span<const E>(values), std::span<char>(text), print_shortest));
    std::vector<E> again(count_elements(text));
    const ParsedText parsed = parse_text(std::string_view(text), std::span<E>(again));
    check_always(parsed.fault == TextFault::none);
    check_always(same_bits(again, values));
}

template <Element E>
void check_text(const std::string& text) {
    std::vector<E> expected;
    const ParsedText oracle = parse_slowly(text, expected);
    // The view has exactly the bytes of the text, so that the sanitizer sees a read behind it.
    const std::vector<char> exact(text.begin(), text.end());
    const std::string_view view(exact.data(), exact.size());
    std::vector<E> values(count_elements(view));
    const ParsedText parsed = parse_text(view, std::span<E>(values));
    check_always(parsed.fault == oracle.fault);
    if (parsed.fault == TextFault::out_of_range) {
        check_always(!parsed.literal.empty());
        check_always(parsed.literal.data() >= view.data());
        check_always(parsed.literal.data() + parsed.literal.size() <= view.data() + view.size());
    }
    if (parsed.fault != TextFault::none) return;
    check_always(parsed.count == expected.size());
    check_always(parsed.count == values.size());
    check_always(same_bits(values, expected));
    check_printing(values);
}

void mutate(Random& random, std::string& text) {
    const size_t at = random.below(text.size() + 1);
    const char letter = alphabet[random.below(sizeof(alphabet) - 1)];
    const auto kind = random.below(5);
    if (kind == 0 || at == text.size()) {
        text.insert(at, 1, letter);
    } else if (kind == 1) {
        text[at] = letter;
    } else if (kind == 2) {
        text.erase(at, 1 + random.below(4));
    } else if (kind == 3) {
        text.insert(at, text.substr(random.below(text.size()), random.below(12)));
    } else {
        const std::string other = seeds[random.below(std::size(seeds))];
        text.insert(at, other.substr(random.below(other.size()), random.below(12)));
    }
}

void fuzz_step(Random& random) {
    std::string text = seeds[random.below(std::size(seeds))];
    const auto mutations = random.below(8);
    for (uint64_t i = 0; i < mutations; ++i) mutate(random, text);
    check_text<float>(text);
    check_text<Half>(text);
}

}  // namespace
}  // namespace pagoda

int main(int argc, char** argv) {
    return pagoda::test::run_fuzzer(argc, argv, {.name = "text_fuzz", .steps = 200000, .seed = 1},
                                    pagoda::fuzz_step);
}

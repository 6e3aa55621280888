// The text form: what is accepted, and which fault is reported for what is not.
#include "core/vector/text.h"

#include <gtest/gtest.h>

#include <charconv>
#include <string>
#include <vector>

#include "core/base/random.h"

namespace pagoda {
namespace {

template <Element E>
ParsedText parse(const std::string& text, std::vector<E>& values) {
    values.assign(count_elements(text), E{});
    const ParsedText parsed = parse_text(std::string_view(text), std::span<E>(values));
    if (parsed.fault == TextFault::none) values.resize(parsed.count);
    return parsed;
}

std::vector<float> values_of(const std::string& text) {
    std::vector<float> values;
    EXPECT_EQ(parse(text, values).fault, TextFault::none) << text;
    return values;
}

TextFault fault_of(const std::string& text) {
    std::vector<float> values;
    return parse(text, values).fault;
}

TextFault half_fault_of(const std::string& text) {
    std::vector<Half> values;
    return parse(text, values).fault;
}

int print_shortest(float value, char* target) {
    return static_cast<int>(std::to_chars(target, target + number_bytes_max, value).ptr - target);
}

template <Element E>
std::string print(const std::vector<E>& values) {
    std::string text(text_bytes_max(values.size()), '?');
    text.resize(print_text(std::span<const E>(values), std::span<char>(text), print_shortest));
    return text;
}

TEST(Text, reads_numbers_between_brackets) {
    EXPECT_EQ(values_of("[1]"), (std::vector<float>{1}));
    EXPECT_EQ(values_of("[1,-2.5,+3e2,.5]"), (std::vector<float>{1, -2.5, 300, 0.5}));
    EXPECT_EQ(values_of("[0x10,1e-50]"), (std::vector<float>{16, 0}));
}

TEST(Text, allows_white_space_between_all_parts_but_not_within_numbers) {
    EXPECT_EQ(values_of(" \t\n\r\v\f[ \t1\n,\r2\v,\f3 ] \t"), (std::vector<float>{1, 2, 3}));
    for (const char* text : {"[1 2]", "[- 1]", "[1 .5]", "[1e 5]",
                             "[\xC2\xA0"
                             "1]"}) {
        EXPECT_EQ(fault_of(text), TextFault::syntax) << text;
    }
}

TEST(Text, reports_a_missing_bracket_trailing_text_and_an_empty_list) {
    for (const char* text : {"", "  ", "1", "{1}", "(1)", "]1["}) {
        EXPECT_EQ(fault_of(text), TextFault::missing_bracket) << text;
    }
    for (const char* text : {"[1]x", "[1]]", "[1] 2", "[1],", "[1][2]"}) {
        EXPECT_EQ(fault_of(text), TextFault::trailing_text) << text;
    }
    for (const char* text : {"[]", "[ ]", "[]x", " [\t] ["}) {
        EXPECT_EQ(fault_of(text), TextFault::no_elements) << text;
    }
}

TEST(Text, reports_a_number_or_comma_or_bracket_that_is_missing) {
    for (const char* text : {"[", "[1", "[1,", "[1,]", "[,1]", "[1,,2]", "[a]", "[1a]", "[[1]]",
                             "[1;2]", "[1.5.5]", "[1e]", "[-]", "[0x]", "[1,x"}) {
        EXPECT_EQ(fault_of(text), TextFault::syntax) << text;
    }
}

TEST(Text, reports_values_that_may_not_be_stored_before_what_follows_them) {
    EXPECT_EQ(fault_of("[1,nan"), TextFault::not_a_number);
    EXPECT_EQ(fault_of("[NaN(7)x"), TextFault::not_a_number);
    EXPECT_EQ(fault_of("[-inf,x"), TextFault::infinite);
    EXPECT_EQ(fault_of("[1e39 x"), TextFault::out_of_range);
    EXPECT_EQ(fault_of("[x,nan"), TextFault::syntax);
    EXPECT_EQ(half_fault_of("[inf"), TextFault::infinite);
    EXPECT_EQ(half_fault_of("[65520"), TextFault::out_of_range);
    EXPECT_EQ(half_fault_of("[65519.99]"), TextFault::none);
    EXPECT_EQ(half_fault_of("[1e39]"), TextFault::out_of_range);
}

TEST(Text, the_literal_of_a_number_out_of_range_is_the_number_alone) {
    std::vector<float> values;
    EXPECT_EQ(parse("[1, 1e39 ,2]", values).literal, "1e39");
    std::vector<Half> halves;
    EXPECT_EQ(parse("[-065520.0x", halves).literal, "-065520.0");
}

TEST(Text, takes_as_many_elements_as_the_limit_and_no_more) {
    std::string text = "[1";
    for (size_t i = 1; i < dimensions_max; ++i) text += ",1";
    EXPECT_EQ(values_of(text + "]").size(), dimensions_max);
    EXPECT_EQ(fault_of(text + ",1]"), TextFault::too_many_elements);
    EXPECT_EQ(fault_of(text + ",x"), TextFault::too_many_elements);
    EXPECT_EQ(fault_of(text + ","), TextFault::too_many_elements);
    EXPECT_EQ(fault_of(text), TextFault::syntax);
    EXPECT_EQ(count_elements(text + "," + text), dimensions_max);
}

TEST(Text, halves_are_rounded_after_the_number_was_rounded_to_a_float) {
    std::vector<Half> values;
    // The exact number is above the middle of two halves, its float is the middle itself.
    parse("[1.000488281250001,1.0004884]", values);
    EXPECT_EQ(values[0].bits, 0x3C00);
    EXPECT_EQ(values[1].bits, 0x3C01);
}

TEST(Text, prints_without_white_space) {
    EXPECT_EQ(print(std::vector<float>{1, -2.5, 0.1f}), "[1,-2.5,0.1]");
    EXPECT_EQ(print(std::vector<Half>{{0x3C00}, {0x8000}, {0x2E66}}), "[1,-0,0.099975586]");
}

TEST(Text, what_was_printed_reads_back_as_the_same_bits) {
    Random random(21);
    std::vector<float> values(1000), again;
    for (float& value : values) {
        do {
            value = std::bit_cast<float>(static_cast<uint32_t>(random.next()));
        } while (finiteness(value) != Finiteness::finite);
    }
    ASSERT_EQ(parse(print(values), again).fault, TextFault::none);
    ASSERT_EQ(again.size(), values.size());
    for (size_t i = 0; i < values.size(); ++i) {
        EXPECT_EQ(std::bit_cast<uint32_t>(again[i]), std::bit_cast<uint32_t>(values[i]));
    }
}

}  // namespace
}  // namespace pagoda

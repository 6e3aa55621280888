// Reading one number: against strtof, which the grammar is defined by, and the places where the
// two are told apart.
#include "core/vector/number.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <string>

#include "core/base/random.h"

namespace pagoda {
namespace {

void expect_as_strtof(const std::string& text) {
    char* end = nullptr;
    const float expected = std::strtof(text.c_str(), &end);
    const Number number = read_number(text);
    if (std::isnan(expected)) {
        EXPECT_EQ(number.kind, NumberKind::not_a_number) << text;
        return;
    }
    if (end == text.c_str()) {
        EXPECT_EQ(number.kind, NumberKind::missing) << text;
        EXPECT_EQ(number.length, 0u) << text;
        return;
    }
    EXPECT_EQ(std::bit_cast<uint32_t>(number.value), std::bit_cast<uint32_t>(expected)) << text;
    EXPECT_EQ(number.length, static_cast<size_t>(end - text.c_str())) << text;
    if (!std::isinf(expected)) {
        EXPECT_EQ(number.kind, NumberKind::finite) << text;
    }
}

TEST(Number, agrees_with_strtof_on_decimal_forms) {
    for (const char* text :
         {"0",     "-0",    "+1",       "1.",       ".5",       "-.5e+1",        "1e5",
          "1E-5",  "1e",    "1e+",      "1e-x",     "1.5.5",    "12ab",          "1e38",
          "1e-45", "7e-46", "8e-46",    "1e-50",    "-1e-50",   "0e999",         "3.4028235e38",
          "00012", "1_000", "16777217", "16777219", "33554433", "1.17549435e-38"}) {
        expect_as_strtof(text);
    }
}

TEST(Number, agrees_with_strtof_on_hexadecimal_forms) {
    for (const char* text :
         {"0x10",   "0X.8p1",   "0x1.8p-2", "0x",         "0xg",      "0x.",    "0x.p1",
          "0x1p",   "0x1p+",    "0x1pz",    "0x1p+-2",    "0x.8p-+2", "0x1..",  "0x1.p1",
          "-0xAp0", "0x1p-149", "0x1p-150", "0x1.8p-150", "0x1p-200", "0x0p999"}) {
        expect_as_strtof(text);
    }
}

TEST(Number, agrees_with_strtof_on_words_and_on_what_is_no_number) {
    for (const char* text : {"inf", "-INF", "Infinity", "infinitx", "in", "nan", "NAN(1)", "na", "",
                             "-", "+", "+-1", "--1", ".", "-.", ".e1", "e1", "x1", ","}) {
        expect_as_strtof(text);
    }
    EXPECT_EQ(read_number(" 1").kind, NumberKind::missing);
}

TEST(Number, tells_overflow_from_the_word_for_infinity) {
    EXPECT_EQ(read_number("1e39").kind, NumberKind::overflow);
    EXPECT_EQ(read_number("-3.4028236e38").kind, NumberKind::overflow);
    EXPECT_EQ(read_number("0x1p128").kind, NumberKind::overflow);
    EXPECT_EQ(read_number("0x1.ffffffp127").kind, NumberKind::overflow);
    EXPECT_EQ(read_number("1e99999999999999999999999").kind, NumberKind::overflow);
    EXPECT_EQ(read_number("inf").kind, NumberKind::infinite);
    EXPECT_EQ(read_number("-infinity").value, -std::numeric_limits<float>::infinity());
}

TEST(Number, an_underflow_is_a_zero_with_its_sign_however_long_the_text) {
    const std::string zeros(2000, '0');
    EXPECT_EQ(read_number("0." + zeros + "1").kind, NumberKind::finite);
    EXPECT_EQ(read_number("0." + zeros + "1").value, 0);
    EXPECT_TRUE(std::signbit(read_number("-0." + zeros + "1").value));
    EXPECT_EQ(read_number("1e-99999999999999999999999").value, 0);
    EXPECT_EQ(read_number("0x0." + zeros + "1").value, 0);
    // Many digits and an exponent that undoes them.
    expect_as_strtof("1" + zeros + "e-2000");
    expect_as_strtof("0." + zeros + "1e2001");
    expect_as_strtof("1" + zeros + "e-2100");
    expect_as_strtof("0." + zeros + "1e2100");
    EXPECT_EQ(read_number("1" + zeros).kind, NumberKind::overflow);
    EXPECT_EQ(read_number("0x1" + zeros).kind, NumberKind::overflow);
}

TEST(Number, reads_nothing_behind_the_end_of_the_view) {
    const std::string text = "12.5e3";
    EXPECT_EQ(read_number(std::string_view(text).substr(0, 1)).value, 1);
    EXPECT_EQ(read_number(std::string_view(text).substr(0, 4)).value, 12.5f);
    EXPECT_EQ(read_number(std::string_view(text).substr(0, 5)).length, 4u);
    EXPECT_EQ(read_number(std::string_view("0x1").substr(0, 2)).length, 1u);
    EXPECT_EQ(read_number(std::string_view("infinity").substr(0, 7)).length, 3u);
}

TEST(Number, rounds_as_strtof_does_for_random_decimal_texts) {
    Random random(11);
    for (int i = 0; i < 20000; ++i) {
        std::string text = random.below(2) == 0 ? "-" : "";
        const auto digits = 1 + random.below(30);
        const auto point = random.below(digits + 1);
        for (uint64_t digit = 0; digit < digits; ++digit) {
            if (digit == point) text += '.';
            text += static_cast<char>('0' + random.below(10));
        }
        if (random.below(4) != 0) {
            text += 'e' + std::to_string(static_cast<int>(random.below(100)) - 60);
        }
        expect_as_strtof(text);
    }
}

TEST(Number, rounds_to_nearest_even_at_and_beside_the_middle_of_two_floats) {
    Random random(12);
    for (int i = 0; i < 5000; ++i) {
        const auto bits = static_cast<uint32_t>(random.below(0x7F000000));
        const double lower = std::bit_cast<float>(bits);
        const double upper = std::bit_cast<float>(bits + 1);
        // The middle of two floats is a double, and 170 digits print any double of that range
        // exactly.
        char text[400];
        std::snprintf(text, sizeof(text), "%.170g", (lower + upper) / 2);
        expect_as_strtof(text);
        expect_as_strtof(std::string(text).substr(0, 20));
    }
}

}  // namespace
}  // namespace pagoda

// The network form: bytes written and read for both types, and elements that are refused.
#include "core/vector/binary.h"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

namespace pagoda {
namespace {

using Bytes = std::vector<std::byte>;

Bytes bytes_of(std::initializer_list<int> values) {
    Bytes bytes;
    for (const int value : values) bytes.push_back(static_cast<std::byte>(value));
    return bytes;
}

template <Element E>
Bytes encoded(const std::vector<E>& values) {
    Bytes bytes(binary_bytes<E>(values.size()), std::byte{0xAA});
    encode(std::span<const E>(values), std::span<std::byte>(bytes));
    return bytes;
}

BinaryHeader header_of(const Bytes& bytes) {
    return decode_header(std::span<const std::byte>(bytes).first<binary_header_bytes>());
}

TEST(Binary, writes_big_endian_dimensions_a_zero_word_and_elements) {
    EXPECT_EQ(encoded(std::vector<float>{1, -2.5}),
              bytes_of({0, 2, 0, 0, 0x3F, 0x80, 0, 0, 0xC0, 0x20, 0, 0}));
    EXPECT_EQ(encoded(std::vector<Half>{{0x3C00}, {0xC100}}),
              bytes_of({0, 2, 0, 0, 0x3C, 0, 0xC1, 0}));
    EXPECT_EQ(header_of(encoded(std::vector<float>(dimensions_max))).dimensions, 16000);
}

TEST(Binary, reads_any_header_and_leaves_judging_it_to_the_caller) {
    const BinaryHeader header = header_of(bytes_of({0xFF, 0xFE, 0x80, 0x01}));
    EXPECT_EQ(header.dimensions, -2);
    EXPECT_EQ(header.unused, -32767);
}

TEST(Binary, every_finite_half_and_many_floats_come_back_as_the_same_bits) {
    std::vector<Half> halves;
    std::vector<float> floats;
    for (uint32_t bits = 0; bits < 0x10000; ++bits) {
        const Half half{static_cast<uint16_t>(bits)};
        if (finiteness(half) != Finiteness::finite) continue;
        halves.push_back(half);
        floats.push_back(to_float(half) * 1e30f);
    }
    for (size_t start = 0; start < halves.size(); start += dimensions_max) {
        const size_t count = std::min(dimensions_max, halves.size() - start);
        const auto first = static_cast<std::ptrdiff_t>(start);
        const auto last = static_cast<std::ptrdiff_t>(start + count);
        const std::vector<Half> half_part(halves.begin() + first, halves.begin() + last);
        const std::vector<float> float_part(floats.begin() + first, floats.begin() + last);
        std::vector<Half> half_result(count);
        std::vector<float> float_result(count);
        const Bytes half_bytes = encoded(half_part), float_bytes = encoded(float_part);
        EXPECT_EQ(decode_elements(std::span(half_bytes).subspan(4), std::span(half_result)),
                  Finiteness::finite);
        EXPECT_EQ(decode_elements(std::span(float_bytes).subspan(4), std::span(float_result)),
                  Finiteness::finite);
        EXPECT_EQ(half_result, half_part);
        EXPECT_EQ(float_result, float_part);
    }
}

TEST(Binary, says_what_the_first_element_is_that_may_not_be_stored) {
    std::vector<float> floats(3);
    const Bytes nan = bytes_of({0x3F, 0x80, 0, 0, 0x7F, 0xC0, 0, 0, 0x7F, 0x80, 0, 0});
    EXPECT_EQ(decode_elements(std::span<const std::byte>(nan), std::span(floats)),
              Finiteness::not_a_number);
    EXPECT_EQ(floats[0], 1);
    const Bytes infinite = bytes_of({0xFF, 0x80, 0, 0, 0x7F, 0xC0, 0, 0});
    EXPECT_EQ(decode_elements(std::span<const std::byte>(infinite), std::span(floats)),
              Finiteness::infinite);
    std::vector<Half> halves(1);
    const Bytes half_nan = bytes_of({0x7C, 0x01}), half_infinite = bytes_of({0xFC, 0x00});
    EXPECT_EQ(decode_elements(std::span<const std::byte>(half_nan), std::span(halves)),
              Finiteness::not_a_number);
    EXPECT_EQ(decode_elements(std::span<const std::byte>(half_infinite), std::span(halves)),
              Finiteness::infinite);
}

TEST(Binary, decodes_the_whole_elements_of_a_short_source_only) {
    std::vector<float> floats(2, 7.0f);
    const Bytes bytes = bytes_of({0x3F, 0x80, 0, 0, 0x7F, 0xC0, 0});
    EXPECT_EQ(decode_elements(std::span<const std::byte>(bytes), std::span(floats)),
              Finiteness::finite);
    EXPECT_EQ(floats, (std::vector<float>{1, 7}));
}

}  // namespace
}  // namespace pagoda

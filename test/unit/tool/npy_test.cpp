// The reader of .npy files: what numpy writes is read, everything else gives an error. The last
// test damages good files at random and only asks that the parser answers and stays inside the
// bytes (the sanitizers watch).
#include "tools/pagoda/npy.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "core/base/bits.h"
#include "core/base/random.h"

namespace pagoda::tool {
namespace {

// A version-1 file with the dictionary and the elements given.
std::string npy_file(const std::string& dictionary, const std::string& elements) {
    std::string file("\x93NUMPY\x01\x00", 8);
    file += char(dictionary.size() & 0xFF);
    file += char(dictionary.size() >> 8);
    return file + dictionary + elements;
}

std::string dictionary(const std::string& type, const std::string& shape,
                       const std::string& order = "False") {
    return "{'descr': '" + type + "', 'fortran_order': " + order + ", 'shape': " + shape +
           ", }          \n";
}

Result<MatrixView> parse(const std::string& file) {
    return parse_npy(std::as_bytes(std::span(file)));
}

template <class T>
std::string bytes_of(std::initializer_list<T> values) {
    std::string bytes;
    for (const T value : values) {
        bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    return bytes;
}

std::vector<float> row_of(const MatrixView& view, size_t index) {
    std::vector<float> values(view.columns);
    view.copy_row(index, values);
    return values;
}

TEST(Npy, reads_floats_halves_and_bytes_exactly) {
    const std::string floats =
        npy_file(dictionary("<f4", "(2, 2)"), bytes_of({1.5f, -2.f, 0.f, 3e38f}));
    const auto f32 = parse(floats);
    ASSERT_TRUE(f32);
    EXPECT_EQ(f32.value().rows, 2u);
    EXPECT_EQ(row_of(f32.value(), 0), (std::vector<float>{1.5f, -2.f}));
    EXPECT_EQ(row_of(f32.value(), 1), (std::vector<float>{0.f, 3e38f}));

    const std::string halves =
        npy_file(dictionary("<f2", "(1, 3)"), bytes_of<uint16_t>({0x3C00, 0xC000, 0x0001}));
    const auto f16 = parse(halves);
    ASSERT_TRUE(f16);
    EXPECT_EQ(row_of(f16.value(), 0), (std::vector<float>{1.f, -2.f, 0x1p-24f}));

    const std::string bytes = npy_file(dictionary("|u1", "(1, 2)"), bytes_of<uint8_t>({0, 255}));
    const auto u8 = parse(bytes);
    ASSERT_TRUE(u8);
    EXPECT_EQ(row_of(u8.value(), 0), (std::vector<float>{0.f, 255.f}));
}

TEST(Npy, reads_a_version_2_header_and_keys_in_any_order) {
    const std::string text = "{'shape': (1, 1), \"fortran_order\": False, 'descr': '|u1'}";
    std::string file("\x93NUMPY\x02\x00", 8);
    file += bytes_of<uint32_t>({uint32_t(text.size())}) + text + "\x07";
    const auto view = parse(file);
    ASSERT_TRUE(view) << view.error().expected;
    EXPECT_EQ(row_of(view.value(), 0), std::vector<float>{7.f});
}

TEST(Npy, first_rows_keeps_the_beginning) {
    const std::string file = npy_file(dictionary("|u1", "(3, 1)"), "abc");
    const MatrixView first = parse(file).value().first_rows(2);
    EXPECT_EQ(first.rows, 2u);
    EXPECT_EQ(first.data.size(), 2u);
    EXPECT_EQ(row_of(first, 1), std::vector<float>{float('b')});
}

TEST(Npy, refuses_what_is_not_such_a_file) {
    const std::string good = npy_file(dictionary("|u1", "(2, 2)"), "abcd");
    ASSERT_TRUE(parse(good));
    const std::string bad[] = {
        "",
        "\x93NUMPY",
        "PK" + good.substr(2),
        good.substr(0, 40),                                     // header cut
        good.substr(0, good.size() - 1),                        // element missing
        good + "x",                                             // element left over
        npy_file(dictionary("<f8", "(2, 2)"), ""),              // type
        npy_file(dictionary(">f4", "(1, 1)"), "abcd"),          // byte order
        npy_file(dictionary("|u1", "(2, 2)", "True"), "abcd"),  // column-major
        npy_file(dictionary("|u1", "(4,)"), "abcd"),            // one dimension
        npy_file(dictionary("|u1", "(1, 2, 2)"), "abcd"),       // three
        npy_file(dictionary("|u1", "(-1, 4)"), "abcd"),
        npy_file("{'descr': '|u1', 'shape': (2, 2)}", "abcd"),
        npy_file("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2)} + 1", "abcd"),
        npy_file("{'descr': '|u1', 'fortran_order': False, 'shape': (2, 2), 'x': 1}", "abcd"),
        npy_file("{'descr': '|u1", "abcd"),
    };
    for (const std::string& file : bad) {
        const auto view = parse(file);
        ASSERT_FALSE(view) << file;
        EXPECT_EQ(view.error().code, ErrorCode::invalid_syntax) << file;
    }
}

TEST(Npy, refuses_shapes_that_overflow) {
    for (const char* shape : {"(4294967296, 4294967296)", "(9223372036854775808, 1)"}) {
        const auto view = parse(npy_file(dictionary("<f2", shape), ""));
        ASSERT_FALSE(view) << shape;
        EXPECT_EQ(view.error().code, ErrorCode::too_large) << shape;
    }
    EXPECT_FALSE(parse(npy_file(dictionary("|u1", "(99999999999999999999999, 1)"), "")));
}

TEST(Npy, a_damaged_file_gives_an_answer_and_never_a_view_beyond_its_bytes) {
    constexpr uint64_t seed = 20240611;
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    const std::string good = npy_file(dictionary("<f2", "(4, 3)"), std::string(24, 'x'));
    size_t accepted = 0;
    for (int step = 0; step < 100'000; ++step) {
        std::string file = good;
        for (uint64_t change = 0; change <= random.below(4); ++change) {
            const size_t at = random.below(uint32_t(file.size()));
            switch (random.below(3)) {
                case 0:
                    file[at] = char(random.below(256));
                    break;
                case 1:
                    file.erase(at, random.below(8));
                    break;
                default:
                    file.insert(at, 1, "0123456789(),'{}:"[random.below(17)]);
            }
            if (file.empty()) file = "x";
        }
        const auto view = parse(file);
        if (!view) continue;
        ++accepted;
        for (size_t row = 0; row < view.value().rows && view.value().columns > 0; ++row) {
            row_of(view.value(), row);
        }
    }
    EXPECT_GT(accepted, 0u);
}

}  // namespace
}  // namespace pagoda::tool

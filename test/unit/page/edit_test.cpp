// Each operation of an edit script does what core/page/edit.h says, and nothing out of bounds.
// PageEdit builds the bytes that apply_script() reads.
#include "core/page/edit.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "test/unit/page/page_fixture.h"

namespace pagoda::test {
namespace {

constexpr unsigned op_init = 1, op_write = 2, op_fill = 3, op_move = 4, op_insert = 5, op_erase = 6,
                   op_nibbles = 7, op_bounds = 8, op_transform = 9;

Status run(PageImage& page, std::span<const std::byte> script) {
    return apply_script(page, script, {});
}

// Applies what `build` adds to an edit; the edit was valid, so it must be accepted.
template <class Build>
void apply_built(PageImage& page, Build build) {
    ASSERT_TRUE(run(page, script_of(build)).ok());
}

// A script is refused, names what it expected, and the page is as it was.
void expect_refused(std::span<const std::byte> script, const std::string& expected) {
    Random random(1);
    PageImage page = random_page(random);
    const PageImage before = page;
    const Status status = run(page, script);
    ASSERT_FALSE(status.ok()) << expected;
    EXPECT_EQ(status.error().code, ErrorCode::corrupt_page);
    EXPECT_EQ(status.error().block, no_block);
    EXPECT_EQ(status.error().expected, expected);
    EXPECT_EQ(page, before);
}

class PageEditOperation : public testing::Test {
  protected:
    PageEditOperation() : random(2024), page(random_page(random)), expected(page) {}
    Random random;
    PageImage page;
    PageImage expected;
};

TEST_F(PageEditOperation, empty_script_changes_nothing) {
    EXPECT_TRUE(run(page, {}).ok());
    EXPECT_EQ(page, expected);
}

TEST_F(PageEditOperation, init_makes_an_empty_page_whatever_was_there) {
    for (std::byte& byte : page) byte = static_cast<std::byte>(random.next());
    apply_built(page, [](PageEdit& edit) { edit.init(PageKind::ivf_meta, 3, 0xABCDEF01); });
    init_page(expected, PageKind::ivf_meta, 3, 0xABCDEF01);
    EXPECT_EQ(page, expected);
}

TEST_F(PageEditOperation, write_replaces_bytes_up_to_both_ends_of_the_content) {
    const auto bytes = random_bytes(200, random);
    for (const size_t offset : {page_header_bytes, size_t{1000}, content_end - bytes.size()}) {
        apply_built(page, [&](PageEdit& edit) { edit.write(offset, bytes); });
        std::copy(bytes.begin(), bytes.end(), expected.begin() + offset);
        EXPECT_EQ(page, expected);
    }
}

TEST_F(PageEditOperation, write_can_replace_the_whole_content) {
    const auto bytes = random_bytes(content_end - page_header_bytes, random);
    apply_built(page, [&](PageEdit& edit) { edit.write(page_header_bytes, bytes); });
    std::copy(bytes.begin(), bytes.end(), expected.begin() + page_header_bytes);
    EXPECT_EQ(page, expected);
}

TEST_F(PageEditOperation, write_value_stores_the_bytes_of_the_value) {
    apply_built(page, [&](PageEdit& edit) { edit.write_value(4001, uint32_t{0x11223344}); });
    EXPECT_EQ(load<uint32_t>(page.data() + 4001), 0x11223344u);
    store(expected.data() + 4001, uint32_t{0x11223344});
    EXPECT_EQ(page, expected);
}

TEST_F(PageEditOperation, write_of_no_bytes_changes_nothing_even_at_the_end) {
    apply_built(page, [](PageEdit& edit) { edit.write(content_end, {}); });
    EXPECT_EQ(page, expected);
}

TEST_F(PageEditOperation, fill_sets_every_byte_of_its_range) {
    apply_built(page, [](PageEdit& edit) { edit.fill(content_end - 300, 300, 0x5A); });
    std::fill_n(expected.begin() + content_end - 300, 300, std::byte{0x5A});
    EXPECT_EQ(page, expected);
}

TEST_F(PageEditOperation, move_copies_overlapping_ranges_in_both_directions) {
    struct {
        size_t from, to, length;
    } moves[] = {{100, 101, 500}, {101, 100, 500}, {24, 7000, 1176}, {7000, 24, 1176}, {50, 50, 9}};
    for (const auto& [from, to, length] : moves) {
        const PageImage before = expected;
        apply_built(page, [&](PageEdit& edit) { edit.move(from, to, length); });
        std::copy_n(before.begin() + from, length, expected.begin() + to);
        EXPECT_EQ(page, expected) << from << " to " << to;
    }
}

TEST_F(PageEditOperation, insert_shifts_the_rest_up_and_erase_takes_it_back) {
    const auto bytes = random_bytes(48, random);
    const PageImage before = page;
    apply_built(page, [&](PageEdit& edit) { edit.insert(2000, content_end - 48, bytes); });
    std::copy(bytes.begin(), bytes.end(), expected.begin() + 2000);
    std::copy(before.begin() + 2000, before.begin() + content_end - 48, expected.begin() + 2048);
    EXPECT_EQ(page, expected);

    apply_built(page, [](PageEdit& edit) { edit.erase(2000, content_end, 48); });
    // The bytes after the moved ones stay what they were.
    std::copy(before.begin() + 2000, before.begin() + content_end - 48, expected.begin() + 2000);
    EXPECT_EQ(page, expected);
}

TEST_F(PageEditOperation, insert_and_erase_of_everything_and_of_nothing) {
    const auto bytes = random_bytes(content_end - page_header_bytes, random);
    apply_built(page, [&](PageEdit& edit) { edit.insert(24, 24, bytes); });
    std::copy(bytes.begin(), bytes.end(), expected.begin() + 24);
    EXPECT_EQ(page, expected);
    apply_built(page, [](PageEdit& edit) { edit.insert(300, content_end, {}); });
    apply_built(page, [](PageEdit& edit) { edit.erase(300, content_end, 0); });
    apply_built(page, [](PageEdit& edit) { edit.erase(24, content_end, content_end - 24); });
    EXPECT_EQ(page, expected);
}

TEST_F(PageEditOperation, nibbles_set_one_half_of_every_stride_th_byte) {
    for (const size_t stride : {1, 2, 16, 255}) {
        for (const size_t half : {0, 1}) {
            for (const size_t count : {1, 2, 7, 31}) {
                const auto packed = random_bytes((count + 1) / 2, random);
                apply_built(
                    page, [&](PageEdit& edit) { edit.nibbles(131, stride, half, count, packed); });
                for (size_t i = 0; i < count; i++) {
                    const auto byte = std::to_integer<unsigned>(packed[i / 2]);
                    const unsigned nibble = i % 2 == 0 ? byte % 16 : byte / 16;
                    const auto old = std::to_integer<unsigned>(expected[131 + i * stride]);
                    const unsigned value =
                        half == 0 ? old / 16 * 16 + nibble : nibble * 16 + old % 16;
                    expected[131 + i * stride] = static_cast<std::byte>(value);
                }
                EXPECT_EQ(page, expected) << stride << " " << half << " " << count;
            }
        }
    }
}

TEST_F(PageEditOperation, nibbles_may_end_at_the_last_byte) {
    const std::byte packed[] = {std::byte{0xBA}};
    apply_built(page, [&](PageEdit& edit) { edit.nibbles(content_end - 17, 16, 1, 2, packed); });
    EXPECT_EQ(page[content_end - 17] >> 4, std::byte{0xA});
    EXPECT_EQ(page[content_end - 1] >> 4, std::byte{0xB});
}

TEST_F(PageEditOperation, bounds_change_lower_and_upper_only) {
    apply_built(page, [](PageEdit& edit) { edit.bounds(24, content_end); });
    store<uint16_t>(expected.data() + pd_lower_offset, 24);
    EXPECT_EQ(page, expected);
    apply_built(page, [](PageEdit& edit) { edit.bounds(4000, 4000); });
    store<uint16_t>(expected.data() + pd_lower_offset, 4000);
    store<uint16_t>(expected.data() + pd_upper_offset, 4000);
    EXPECT_EQ(page, expected);
}

TEST_F(PageEditOperation, operations_of_a_script_happen_in_order) {
    const std::byte letter[] = {std::byte{'x'}};
    apply_built(page, [&](PageEdit& edit) {
        edit.fill(100, 4, 1);
        edit.write(101, letter);
        edit.move(101, 102, 1);
    });
    const std::byte result[] = {std::byte{1}, std::byte{'x'}, std::byte{'x'}, std::byte{1}};
    std::copy_n(result, 4, expected.begin() + 100);
    EXPECT_EQ(page, expected);
}

TEST(PageEditScript, refuses_operations_out_of_bounds) {
    // Below the content, past its end, and around the end of 16-bit numbers.
    expect_refused(RawScript().u8(op_write).u16(23).u16(1).zeros(1), "a write in bounds");
    expect_refused(RawScript().u8(op_write).u16(8175).u16(2).zeros(2), "a write in bounds");
    expect_refused(RawScript().u8(op_write).u16(8177).u16(0), "a write in bounds");
    expect_refused(RawScript().u8(op_write).u16(65535).u16(1).zeros(1), "a write in bounds");
    expect_refused(RawScript().u8(op_fill).u16(0).u16(8).u8(0), "a fill in bounds");
    expect_refused(RawScript().u8(op_fill).u16(24).u16(8153).u8(0), "a fill in bounds");
    expect_refused(RawScript().u8(op_fill).u16(8176).u16(65535).u8(0), "a fill in bounds");
    expect_refused(RawScript().u8(op_move).u16(23).u16(100).u16(8), "a move in bounds");
    expect_refused(RawScript().u8(op_move).u16(100).u16(23).u16(8), "a move in bounds");
    expect_refused(RawScript().u8(op_move).u16(24).u16(8000).u16(177), "a move in bounds");
    expect_refused(RawScript().u8(op_move).u16(8000).u16(24).u16(177), "a move in bounds");
    expect_refused(RawScript().u8(op_insert).u16(40).u16(39).u16(0), "an insert in bounds");
    expect_refused(RawScript().u8(op_insert).u16(20).u16(40).u16(0), "an insert in bounds");
    expect_refused(RawScript().u8(op_insert).u16(40).u16(8176).u16(1).zeros(1),
                   "an insert in bounds");
    expect_refused(RawScript().u8(op_erase).u16(40).u16(39).u16(0), "an erase in bounds");
    expect_refused(RawScript().u8(op_erase).u16(40).u16(50).u16(11), "an erase in bounds");
    expect_refused(RawScript().u8(op_erase).u16(40).u16(8177).u16(1), "an erase in bounds");
    expect_refused(RawScript().u8(op_erase).u16(23).u16(50).u16(1), "an erase in bounds");
    expect_refused(RawScript().u8(op_nibbles).u16(23).u8(1).u8(0).u16(1).zeros(1),
                   "nibbles in bounds");
    expect_refused(RawScript().u8(op_nibbles).u16(8176).u8(1).u8(0).u16(1).zeros(1),
                   "nibbles in bounds");
    expect_refused(RawScript().u8(op_nibbles).u16(24).u8(255).u8(0).u16(33).zeros(17),
                   "nibbles in bounds");
}

TEST(PageEditScript, refuses_arguments_that_mean_nothing) {
    expect_refused(RawScript().u8(0), "a known operation");
    expect_refused(RawScript().u8(10), "a known operation");
    expect_refused(RawScript().u8(255), "a known operation");
    expect_refused(RawScript().u8(op_init).u8(1).u8(1).u16(1).u32(7),
                   "a whole init operation without flags");
    expect_refused(RawScript().u8(op_nibbles).u16(24).u8(0).u8(0).u16(1).zeros(1),
                   "a whole nibbles operation");
    expect_refused(RawScript().u8(op_nibbles).u16(24).u8(1).u8(2).u16(1).zeros(1),
                   "a whole nibbles operation");
    expect_refused(RawScript().u8(op_nibbles).u16(24).u8(1).u8(0).u16(0),
                   "a whole nibbles operation");
    expect_refused(RawScript().u8(op_bounds).u16(23).u16(8176), "ordered page bounds");
    expect_refused(RawScript().u8(op_bounds).u16(101).u16(100), "ordered page bounds");
    expect_refused(RawScript().u8(op_bounds).u16(24).u16(8177), "ordered page bounds");
}

TEST(PageEditScript, refuses_every_cut_inside_an_operation_without_touching_the_page) {
    const auto bytes = std::vector<std::byte>(5, std::byte{9});
    const Script scripts[] = {
        script_of([](PageEdit& edit) { edit.init(PageKind::ivf_stream, 1, 5); }),
        script_of([&](PageEdit& edit) { edit.write(100, bytes); }),
        script_of([](PageEdit& edit) { edit.fill(100, 50, 1); }),
        script_of([](PageEdit& edit) { edit.move(100, 200, 50); }),
        script_of([&](PageEdit& edit) { edit.insert(100, 200, bytes); }),
        script_of([](PageEdit& edit) { edit.erase(100, 200, 50); }),
        script_of([&](PageEdit& edit) { edit.nibbles(100, 16, 1, 9, bytes); }),
        script_of([](PageEdit& edit) { edit.bounds(100, 200); }),
        script_of([&](PageEdit& edit) { edit.transform(1, 1, bytes); }),
    };
    const Transform transforms[] = {
        {1, 1, [](PageBytes, std::span<const std::byte>) -> Status { return {}; }}};
    Random random(5);
    for (const Script& script : scripts) {
        PageImage page = random_page(random);
        const PageImage before = page;
        for (size_t length = 1; length < script.size(); length++) {
            const auto cut = std::span(script).first(length);
            EXPECT_FALSE(apply_script(page, cut, transforms).ok()) << length;
            EXPECT_EQ(page, before);
        }
        EXPECT_TRUE(apply_script(page, script, transforms).ok());
    }
}

TEST(PageEditTransform, runs_the_registered_function_of_its_version_with_its_arguments) {
    const Transform transforms[] = {
        {4, 1, [](PageBytes, std::span<const std::byte>) -> Status { abort(); }},
        {4, 2,
         [](PageBytes page, std::span<const std::byte> arguments) -> Status {
             if (arguments.size() != 2) return Error{ErrorCode::corrupt_page, no_block, "two"};
             page[100] = arguments[0] ^ page[200] ^ arguments[1];
             return {};
         }},
    };
    Random random(6);
    PageImage page = random_page(random);
    PageImage expected = page;
    expected[100] = page[200] ^ std::byte{0xF3};
    const std::byte arguments[] = {std::byte{0xF0}, std::byte{0x03}};
    const auto script = script_of([&](PageEdit& edit) { edit.transform(4, 2, arguments); });
    EXPECT_TRUE(apply_script(page, script, transforms).ok());
    EXPECT_EQ(page, expected);

    const auto refused = script_of([&](PageEdit& edit) { edit.transform(4, 2, {}); });
    EXPECT_STREQ(apply_script(page, refused, transforms).error().expected, "two");
}

TEST(PageEditTransform, unknown_identity_or_version_is_refused) {
    const Transform transforms[] = {
        {4, 1, [](PageBytes, std::span<const std::byte>) -> Status { return {}; }}};
    Random random(7);
    PageImage page = random_page(random);
    for (const auto& [id, version] : {std::pair{4, 2}, {3, 1}, {0, 0}}) {
        const RawScript script = RawScript().u8(op_transform).u8(id).u8(version).u16(0);
        const Status status = apply_script(page, script, transforms);
        ASSERT_FALSE(status.ok());
        EXPECT_EQ(status.error().code, ErrorCode::unknown_version);
    }
}

}  // namespace
}  // namespace pagoda::test

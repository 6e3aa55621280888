// Pages as files: what version 1 of the page frame and of the edit script made must be made again,
// byte for byte, and damaged pages are refused for the reason in their name.
#include "test/support/golden.h"

#include <string>

#include <gtest/gtest.h>

#include "test/unit/page/page_fixture.h"

namespace pagoda::test {
namespace {

constexpr uint32_t golden_index_id = 0x600DF00D;

TEST(GoldenPage, an_initialised_page_of_each_kind_is_as_it_was) {
    PageImage page;
    init_page(page, PageKind::ivf_meta, 1, golden_index_id);
    EXPECT_TRUE(golden_compare("page_ivf_meta_empty", page));
    init_page(page, PageKind::ivf_stream, 1, golden_index_id);
    EXPECT_TRUE(golden_compare("page_ivf_stream_empty", page));
    init_page(page, PageKind::ivf_extents, 1, golden_index_id);
    EXPECT_TRUE(golden_compare("page_ivf_extents_empty", page));
}

// Uses every operation but transform; the functions behind transforms have golden files of their
// own.
void build_golden_edit(PageEdit& edit) {
    std::vector<std::byte> bytes(300);
    for (size_t i = 0; i < bytes.size(); i++) bytes[i] = static_cast<std::byte>(i * 7);
    edit.init(PageKind::ivf_stream, 1, golden_index_id);
    edit.write(content_begin, bytes);
    edit.write(content_end - bytes.size(), bytes);
    edit.fill(1000, 64, 0xA5);
    edit.move(content_begin, content_begin + 100, 200);
    edit.insert(1010, 1100, std::span(bytes).first(11));
    edit.erase(content_begin + 16, 500, 5);
    edit.nibbles(2000, 16, 0, 31, std::span(bytes).first(16));
    edit.nibbles(2000, 16, 1, 30, std::span(bytes).subspan(100, 15));
    edit.bounds(4000, 6000);
}

TEST(GoldenPage, the_script_of_a_fixed_edit_is_as_it_was) {
    EXPECT_TRUE(golden_compare("edit_script", script_of(build_golden_edit)));
}

TEST(GoldenPage, the_stored_script_makes_the_stored_page) {
    // Log records of this version are replayed by all later ones, so the script comes from the
    // file.
    const auto script = read_golden(PAGODA_GOLDEN_DIR "/v1", "edit_script");
    ASSERT_TRUE(script.has_value());
    PageImage page;
    page.fill(std::byte{0xEE});
    ASSERT_TRUE(apply_script(page, *script, {}).ok());
    EXPECT_TRUE(golden_compare("page_after_edit_script", page));
}

struct BadPage {
    const char* name;
    ErrorCode code;
    const char* expected;
    void (*damage)(PageBytes page);
};

constexpr BadPage bad_pages[] = {
    {"page_all_zero", ErrorCode::corrupt_page, "a special area of 16 bytes",
     [](PageBytes page) { std::fill(page.begin(), page.end(), std::byte{0}); }},
    {"page_special_area_moved", ErrorCode::corrupt_page, "a special area of 16 bytes",
     [](PageBytes page) { store<uint16_t>(page.data() + pd_special_offset, 8160); }},
    {"page_first_half_lost", ErrorCode::corrupt_page, "a special area of 16 bytes",
     [](PageBytes page) { std::fill(page.begin(), page.begin() + 4096, std::byte{0}); }},
    {"page_second_half_lost", ErrorCode::corrupt_page, "the page magic of this library",
     [](PageBytes page) { std::fill(page.begin() + 4096, page.end(), std::byte{0}); }},
    {"page_wrong_magic", ErrorCode::corrupt_page, "the page magic of this library",
     [](PageBytes page) { page[content_end] ^= std::byte{0x20}; }},
    {"page_of_another_index", ErrorCode::corrupt_page, "a page of this index",
     [](PageBytes page) { init_page(page, PageKind::ivf_stream, 1, golden_index_id + 1); }},
    {"page_of_another_kind", ErrorCode::corrupt_page, "a page of the kind that belongs here",
     [](PageBytes page) { init_page(page, PageKind::ivf_extents, 1, golden_index_id); }},
    {"page_version_zero", ErrorCode::unknown_version, "a known page version",
     [](PageBytes page) { init_page(page, PageKind::ivf_stream, 0, golden_index_id); }},
    {"page_version_from_the_future", ErrorCode::unknown_version, "a known page version",
     [](PageBytes page) { init_page(page, PageKind::ivf_stream, 255, golden_index_id); }},
};

TEST(GoldenPage, bad_pages_are_refused_for_the_reason_in_their_name) {
    for (const BadPage& bad : bad_pages) {
        SCOPED_TRACE(bad.name);
        PageImage made;
        init_page(made, PageKind::ivf_stream, 1, golden_index_id);
        std::fill(made.begin() + content_begin, made.begin() + content_end, std::byte{0x3C});
        bad.damage(made);
        EXPECT_TRUE(golden_compare(PAGODA_GOLDEN_DIR "/bad", bad.name, made));

        const auto bytes = read_golden(PAGODA_GOLDEN_DIR "/bad", bad.name);
        ASSERT_TRUE(bytes.has_value());
        ASSERT_EQ(bytes->size(), page_bytes);
        PageImage page;
        std::copy(bytes->begin(), bytes->end(), page.begin());
        const Status status = validate_page(page, PageKind::ivf_stream, 1, golden_index_id, 4);
        ASSERT_FALSE(status.ok());
        EXPECT_EQ(status.error().code, bad.code);
        EXPECT_STREQ(status.error().expected, bad.expected);
    }
}

}  // namespace
}  // namespace pagoda::test

// init_page() makes what PostgreSQL takes for a page and validate_page() takes for ours; each
// contradiction has its own reason.
#include "core/page/layout.h"

#include <gtest/gtest.h>

#include "test/unit/page/page_fixture.h"

namespace pagoda::test {
namespace {

constexpr uint32_t index_id = 0x01020304;

PageImage valid_page() {
    PageImage page;
    init_page(page, PageKind::ivf_stream, 1, index_id);
    return page;
}

Status validate(const PageImage& page) {
    return validate_page(page, PageKind::ivf_stream, 1, index_id, 12);
}

void expect_invalid(const PageImage& page, ErrorCode code, const char* expected) {
    const Status status = validate(page);
    ASSERT_FALSE(status.ok()) << expected;
    EXPECT_EQ(status.error().code, code);
    EXPECT_EQ(status.error().block, 12u);
    EXPECT_STREQ(status.error().expected, expected);
}

TEST(PageLayout, init_sets_a_header_without_hole_and_the_tag_and_zeroes_the_rest) {
    PageImage page;
    page.fill(std::byte{0xEE});
    init_page(page, PageKind::ivf_extents, 7, 0xCAFE);
    PageImage expected = {};
    // pd_lower, pd_upper and pd_special are 8176; page size 8192 with PostgreSQL's layout
    // version 4.
    for (const size_t at : {12, 14, 16}) store<uint16_t>(expected.data() + at, 8176);
    store<uint16_t>(expected.data() + 18, 0x2004);
    store<uint32_t>(expected.data() + 8176, 0x41444750);
    store<uint32_t>(expected.data() + 8180, 0xCAFE);
    expected[8184] = std::byte{3};
    expected[8185] = std::byte{7};
    EXPECT_EQ(page, expected);
    EXPECT_EQ(page_tag(page).kind, PageKind::ivf_extents);
    EXPECT_EQ(page_tag(page).version, 7);
    EXPECT_EQ(page_tag(page).index_id, 0xCAFEu);
}

TEST(PageLayout, content_starts_and_ends_on_the_promised_boundaries) {
    EXPECT_EQ(content_begin % 32, 0u);
    EXPECT_EQ(content_bytes, 509u * 16u);
    EXPECT_EQ(content_end + sizeof(PageTag), page_bytes);
}

TEST(PageLayout, an_initialised_page_is_valid_whatever_its_content) {
    Random random(1);
    PageImage page = random_page(random);
    EXPECT_TRUE(validate_page(page, PageKind::ivf_stream, 1, 77, 0).ok());
}

TEST(PageLayout, every_version_up_to_the_known_one_is_valid) {
    PageImage page = valid_page();
    for (uint8_t version = 1; version <= 5; version++) {
        init_page(page, PageKind::ivf_stream, version, index_id);
        EXPECT_TRUE(validate_page(page, PageKind::ivf_stream, 5, index_id, 0).ok());
    }
}

TEST(PageLayout, a_page_of_zeros_is_invalid) {
    expect_invalid(PageImage{}, ErrorCode::corrupt_page, "a special area of 16 bytes");
}

TEST(PageLayout, each_contradiction_has_its_reason) {
    PageImage page = valid_page();
    store<uint16_t>(page.data() + pd_special_offset, 8168);
    expect_invalid(page, ErrorCode::corrupt_page, "a special area of 16 bytes");

    page = valid_page();
    page[content_end] ^= std::byte{1};
    expect_invalid(page, ErrorCode::corrupt_page, "the page magic of this library");

    init_page(page, PageKind::ivf_stream, 1, index_id + 1);
    expect_invalid(page, ErrorCode::corrupt_page, "a page of this index");

    init_page(page, PageKind::ivf_meta, 1, index_id);
    expect_invalid(page, ErrorCode::corrupt_page, "a page of the kind that belongs here");

    init_page(page, PageKind::ivf_stream, 0, index_id);
    expect_invalid(page, ErrorCode::unknown_version, "a known page version");

    init_page(page, PageKind::ivf_stream, 2, index_id);
    expect_invalid(page, ErrorCode::unknown_version, "a known page version");
}

TEST(PageLayout, every_single_bit_of_the_identity_matters) {
    // Bytes of the special area up to the version, and pd_special.
    std::vector<size_t> bytes = {pd_special_offset, pd_special_offset + 1};
    for (size_t i = 0; i < 10; i++) bytes.push_back(content_end + i);
    for (const size_t at : bytes) {
        for (int bit = 0; bit < 8; bit++) {
            PageImage page = valid_page();
            page[at] ^= static_cast<std::byte>(1 << bit);
            EXPECT_FALSE(validate(page).ok()) << at << " " << bit;
        }
    }
}

}  // namespace
}  // namespace pagoda::test

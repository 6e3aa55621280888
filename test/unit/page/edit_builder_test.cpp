// PageEdit collects one script a page and refuses what its caller must not ask for. Misuse is a
// programmer error: it ends the program.
#include <gtest/gtest.h>

#include "core/page/edit.h"
#include "test/unit/page/page_fixture.h"

namespace pagoda::test {
namespace {

TEST(PageEditBuilder, keeps_one_script_for_each_page_in_the_order_of_first_use) {
    std::vector<std::byte> memory(1000);
    PageEdit edit(memory);
    EXPECT_TRUE(edit.empty());
    EXPECT_TRUE(edit.page(FakeGuard{9}));
    edit.fill(100, 1, 1);
    EXPECT_TRUE(edit.page(FakeGuard{9}));
    edit.fill(101, 1, 2);
    EXPECT_TRUE(edit.page(FakeGuard{2}));
    edit.fill(102, 1, 3);
    ASSERT_EQ(edit.pages().size(), 2u);
    EXPECT_FALSE(edit.empty());
    EXPECT_EQ(edit.pages()[0].block, 9u);
    EXPECT_EQ(edit.pages()[0].handle, 109);
    EXPECT_EQ(edit.pages()[1].block, 2u);
    EXPECT_EQ(edit.script(0).size(), 12u);
    EXPECT_EQ(edit.script(1).size(), 6u);

    PageImage page = {};
    EXPECT_TRUE(apply_script(page, edit.script(0), {}).ok());
    EXPECT_EQ(page[100], std::byte{1});
    EXPECT_EQ(page[101], std::byte{2});
    EXPECT_EQ(page[102], std::byte{0});
}

TEST(PageEditBuilder, takes_four_pages_and_no_fifth) {
    std::vector<std::byte> memory(1000);
    PageEdit edit(memory);
    for (uint32_t block = 0; block < 4; block++) EXPECT_TRUE(edit.page(FakeGuard{block}));
    EXPECT_TRUE(edit.page(FakeGuard{3}));
    EXPECT_FALSE(edit.page(FakeGuard{4}));
    EXPECT_EQ(edit.pages().size(), 4u);
    edit.fill(50, 1, 1);
    EXPECT_EQ(edit.script(3).size(), 6u);
}

TEST(PageEditBuilder, reset_makes_it_empty_and_the_memory_usable_again) {
    std::vector<std::byte> memory(6);
    PageEdit edit(memory);
    for (uint32_t block = 0; block < 10; block++) {
        edit.reset();
        EXPECT_TRUE(edit.empty());
        EXPECT_TRUE(edit.page(FakeGuard{block}));
        edit.fill(50, 1, 1);
        EXPECT_EQ(edit.script(0).size(), memory.size());
    }
}

TEST(PageEditBuilder, memory_for_is_enough_for_every_operation) {
    const std::vector<std::byte> bytes(5);
    const auto fits = [&](size_t data_bytes, auto build) {
        std::vector<std::byte> memory(PageEdit::memory_for(data_bytes, 1));
        PageEdit edit(memory);
        edit.page(FakeGuard{0});
        build(edit);
        return edit.script(0).size() <= memory.size();
    };
    EXPECT_TRUE(fits(0, [](PageEdit& edit) { edit.init(PageKind::ivf_meta, 1, 1); }));
    EXPECT_TRUE(fits(5, [&](PageEdit& edit) { edit.write(100, bytes); }));
    EXPECT_TRUE(fits(0, [](PageEdit& edit) { edit.fill(100, 9, 0); }));
    EXPECT_TRUE(fits(0, [](PageEdit& edit) { edit.move(100, 200, 9); }));
    EXPECT_TRUE(fits(5, [&](PageEdit& edit) { edit.insert(100, 200, bytes); }));
    EXPECT_TRUE(fits(0, [](PageEdit& edit) { edit.erase(100, 200, 9); }));
    EXPECT_TRUE(fits(5, [&](PageEdit& edit) { edit.nibbles(100, 1, 0, 10, bytes); }));
    EXPECT_TRUE(fits(0, [](PageEdit& edit) { edit.bounds(24, 24); }));
    EXPECT_TRUE(fits(5, [&](PageEdit& edit) { edit.transform(1, 1, bytes); }));
}

class PageEditMisuse : public testing::Test {
  protected:
    PageEditMisuse() : memory(100), edit(memory) { edit.page(FakeGuard{1}); }
    std::vector<std::byte> memory;
    PageEdit edit;
    const std::vector<std::byte> bytes = std::vector<std::byte>(8);
};
using PageEditMisuseDeathTest = PageEditMisuse;

TEST_F(PageEditMisuseDeathTest, ranges_outside_the_content) {
    EXPECT_DEATH(edit.write(23, bytes), "check failed");
    EXPECT_DEATH(edit.write(content_end - 7, bytes), "check failed");
    EXPECT_DEATH(edit.fill(24, content_end - 23, 0), "check failed");
    EXPECT_DEATH(edit.move(23, 100, 1), "check failed");
    EXPECT_DEATH(edit.move(100, content_end, 1), "check failed");
    EXPECT_DEATH(edit.insert(100, content_end - 7, bytes), "check failed");
    EXPECT_DEATH(edit.insert(100, 99, bytes), "check failed");
    EXPECT_DEATH(edit.erase(100, 110, 11), "check failed");
    EXPECT_DEATH(edit.erase(100, content_end + 1, 1), "check failed");
    EXPECT_DEATH(edit.bounds(20, 100), "check failed");
    EXPECT_DEATH(edit.bounds(200, 100), "check failed");
}

TEST_F(PageEditMisuseDeathTest, nibbles_whose_packed_bytes_do_not_match) {
    EXPECT_DEATH(edit.nibbles(100, 1, 0, 17, bytes), "check failed");
    EXPECT_DEATH(edit.nibbles(100, 0, 0, 16, bytes), "check failed");
    EXPECT_DEATH(edit.nibbles(100, 256, 0, 16, bytes), "check failed");
    EXPECT_DEATH(edit.nibbles(100, 1, 2, 16, bytes), "check failed");
    EXPECT_DEATH(edit.nibbles(100, 1, 0, 0, {}), "check failed");
    EXPECT_DEATH(edit.nibbles(content_end - 15, 1, 0, 16, bytes), "check failed");
}

TEST_F(PageEditMisuseDeathTest, operations_without_page_or_memory) {
    EXPECT_DEATH(PageEdit(memory).fill(100, 1, 1), "check failed");
    const std::vector<std::byte> much(96);
    EXPECT_DEATH(edit.write(100, much), "check failed");
}

TEST_F(PageEditMisuseDeathTest, return_to_a_page_after_another) {
    edit.page(FakeGuard{2});
    EXPECT_DEATH(edit.page(FakeGuard{1}), "check failed");
}

}  // namespace
}  // namespace pagoda::test

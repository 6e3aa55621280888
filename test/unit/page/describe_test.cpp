// Scripts in words, and what an edit says about itself besides its scripts.
#include <gtest/gtest.h>

#include <string>

#include "core/page/describe.h"
#include "core/page/edit.h"
#include "test/unit/page/page_fixture.h"

namespace pagoda::test {
namespace {

std::string describe(std::span<const std::byte> script) {
    std::string all;
    while (!script.empty()) {
        char text[operation_text_bytes];
        describe_operation(script, text);
        all += all.empty() ? "" : ", ";
        all += text;
    }
    return all;
}

TEST(Describe, names_every_operation_with_its_offsets) {
    std::vector<std::byte> memory(1000), bytes(8);
    PageEdit edit(memory);
    edit.page(FakeGuard{1});
    edit.init(PageKind::ivf_stream, 3, 77);
    edit.write(100, bytes);
    edit.fill(200, 7, 255);
    edit.move(300, 310, 40);
    edit.insert(400, 500, bytes);
    edit.erase(600, 700, 16);
    edit.nibbles(800, 16, 1, 16, bytes);
    edit.bounds(100, 8176);
    edit.transform(9, 2, bytes);
    EXPECT_EQ(describe(edit.script(0)),
              "init kind 2 version 3, write 100+8, fill 200+7 with 255, move 300+40 to 310, "
              "insert 400+8 end 500, erase 600+16 end 700, nibbles 800+16x16 high, "
              "bounds 100 8176, transform 9 version 2 (8 bytes)");
}

TEST(Describe, ends_at_bytes_that_are_no_operation) {
    for (int first = 0; first < 256; first++) {
        for (size_t length = 1; length < 16; length++) {
            std::vector<std::byte> script(length, std::byte{255});
            script[0] = static_cast<std::byte>(first);
            const std::string text = describe(script);
            EXPECT_FALSE(text.empty());
            if (first == 0 || first > 9) {
                EXPECT_EQ(text, "damaged (" + std::to_string(length) + " bytes)");
            }
        }
    }
}

TEST(Describe, says_damaged_where_a_script_is_cut) {
    std::vector<std::byte> memory(1000), bytes(8);
    PageEdit edit(memory);
    edit.page(FakeGuard{1});
    edit.write(100, bytes);
    for (size_t length = 1; length < edit.script(0).size(); length++) {
        EXPECT_EQ(describe(edit.script(0).first(length)),
                  "damaged (" + std::to_string(length) + " bytes)");
    }
}

TEST(Describe, every_kind_of_edit_has_a_name_of_its_own_and_a_number_of_four_bits) {
    std::vector<std::string> names;
    for (unsigned kind = 0; kind < 256; kind++) {
        const char* name = edit_kind_name(static_cast<uint8_t>(kind));
        if (name == nullptr) continue;
        EXPECT_LT(kind, 16u);
        for (const std::string& other : names) EXPECT_NE(name, other);
        names.emplace_back(name);
    }
    EXPECT_EQ(names.size(), 7u);
}

TEST(EditFacts, a_page_whose_script_starts_with_init_says_so) {
    std::vector<std::byte> memory(1000);
    PageEdit edit(memory);
    edit.page(FakeGuard{1});
    edit.init(PageKind::ivf_stream, 1, 1);
    edit.fill(100, 1, 1);
    edit.page(FakeGuard{2});
    edit.fill(100, 1, 1);
    edit.init(PageKind::ivf_stream, 1, 1);
    EXPECT_TRUE(edit.pages()[0].is_init);
    EXPECT_FALSE(edit.pages()[1].is_init);  // replay must read the page
}

TEST(EditFacts, only_pages_with_a_transform_can_fail) {
    std::vector<std::byte> memory(1000);
    PageEdit edit(memory);
    edit.page(FakeGuard{1});
    edit.fill(100, 1, 1);
    edit.page(FakeGuard{2});
    edit.transform(1, 1, {});
    EXPECT_FALSE(edit.pages()[0].can_fail);
    EXPECT_TRUE(edit.pages()[1].can_fail);
}

TEST(EditFacts, reset_forgets_the_horizon_and_keeps_the_kind) {
    std::vector<std::byte> memory(1000);
    PageEdit edit(memory, EditKind::vacuum);
    edit.page(FakeGuard{1});
    edit.wait_for_pins();
    edit.end_older_queries(1234, TableKind::catalog);
    EXPECT_TRUE(edit.pages()[0].wants_cleanup);
    EXPECT_EQ(edit.horizon(), 1234u);
    EXPECT_EQ(edit.table(), TableKind::catalog);
    edit.reset();
    edit.page(FakeGuard{2});
    EXPECT_FALSE(edit.pages()[0].wants_cleanup);
    EXPECT_EQ(edit.horizon(), 0u);
    EXPECT_EQ(edit.table(), TableKind::ordinary);
    EXPECT_EQ(edit.kind(), EditKind::vacuum);
}

}  // namespace
}  // namespace pagoda::test

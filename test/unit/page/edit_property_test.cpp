// Random edits against a model that shares no code with the interpreter: it holds the content as a
// vector and works with copies instead of moves in place.
#include <cstdio>

#include <gtest/gtest.h>

#include "core/page/edit.h"
#include "test/unit/page/page_fixture.h"

namespace pagoda::test {
namespace {

constexpr size_t first = page_header_bytes;
constexpr size_t content_size = content_end - first;

// The changeable bytes of a page, and how each operation changes them.
class Model {
  public:
    explicit Model(const PageImage& page) : header_(page.begin(), page.begin() + first) {
        content_.assign(page.begin() + first, page.begin() + content_end);
        special_.assign(page.begin() + content_end, page.end());
    }

    void put(size_t at, const std::vector<std::byte>& bytes) {
        for (size_t i = 0; i < bytes.size(); i++) content_.at(at - first + i) = bytes[i];
    }
    std::vector<std::byte> get(size_t at, size_t length) const {
        std::vector<std::byte> bytes;
        for (size_t i = 0; i < length; i++) bytes.push_back(content_.at(at - first + i));
        return bytes;
    }
    void nibble(size_t at, bool high, unsigned value) {
        auto byte = std::to_integer<unsigned>(content_.at(at - first));
        byte = high ? value * 16 + byte % 16 : byte / 16 * 16 + value;
        content_.at(at - first) = static_cast<std::byte>(byte);
    }
    void bounds(uint16_t lower, uint16_t upper) {
        header_[12] = static_cast<std::byte>(lower % 256);
        header_[13] = static_cast<std::byte>(lower / 256);
        header_[14] = static_cast<std::byte>(upper % 256);
        header_[15] = static_cast<std::byte>(upper / 256);
    }
    PageImage page() const {
        PageImage page;
        std::copy(header_.begin(), header_.end(), page.begin());
        std::copy(content_.begin(), content_.end(), page.begin() + first);
        std::copy(special_.begin(), special_.end(), page.begin() + content_end);
        return page;
    }

  private:
    std::vector<std::byte> header_, content_, special_;
};

// A random range [at, at + length) of the content; short ones are as likely as long ones.
struct Range {
    explicit Range(Random& random) {
        const size_t limit = random.below(2) == 0 ? 40 : content_size;
        length = random.below(limit + 1);
        at = first + random.below(content_size - length + 1);
    }
    size_t at, length;
};

void change_range(PageEdit& edit, Model& model, Random& random) {
    const Range range(random);
    const auto bytes = random_bytes(range.length, random);
    const auto value = static_cast<uint8_t>(random.next());
    const size_t other = first + random.below(content_size - range.length + 1);
    switch (random.below(3)) {
        case 0:
            edit.write(range.at, bytes);
            return model.put(range.at, bytes);
        case 1:
            edit.fill(range.at, range.length, value);
            return model.put(range.at, std::vector(range.length, static_cast<std::byte>(value)));
        default:
            edit.move(range.at, other, range.length);
            return model.put(other, model.get(range.at, range.length));
    }
}

void shift_range(PageEdit& edit, Model& model, Random& random) {
    const Range range(random);
    const size_t part = random.below(range.length + 1);
    const size_t end = range.at + range.length;
    if (random.below(2) == 0) {
        // Insert `part` bytes before what fits of the range.
        const auto bytes = random_bytes(part, random);
        edit.insert(range.at, end - part, bytes);
        const auto moved = model.get(range.at, range.length - part);
        model.put(range.at + part, moved);
        model.put(range.at, bytes);
    } else {
        edit.erase(range.at, end, part);
        model.put(range.at, model.get(range.at + part, range.length - part));
    }
}

void change_nibbles(PageEdit& edit, Model& model, Random& random) {
    const size_t count = 1 + random.below(200);
    const size_t stride = 1 + random.below(40);
    const size_t span = (count - 1) * stride + 1;
    const size_t at = first + random.below(content_size - span + 1);
    const bool high = random.below(2) == 1;
    const auto packed = random_bytes((count + 1) / 2, random);
    edit.nibbles(at, stride, high ? 1 : 0, count, packed);
    for (size_t i = 0; i < count; i++) {
        const auto byte = std::to_integer<unsigned>(packed[i / 2]);
        model.nibble(at + i * stride, high, i % 2 == 0 ? byte % 16 : byte / 16);
    }
}

void change_bounds(PageEdit& edit, Model& model, Random& random) {
    const size_t lower = first + random.below(content_size + 1);
    const size_t upper = lower + random.below(content_end - lower + 1);
    edit.bounds(lower, upper);
    model.bounds(static_cast<uint16_t>(lower), static_cast<uint16_t>(upper));
}

void add_random_operation(PageEdit& edit, Model& model, Random& random) {
    switch (random.below(7)) {
        case 0:
        case 1:
        case 2:
            return change_range(edit, model, random);
        case 3:
        case 4:
            return shift_range(edit, model, random);
        case 5:
            return change_nibbles(edit, model, random);
        default:
            return change_bounds(edit, model, random);
    }
}

TEST(PageEditProperty, random_scripts_agree_with_an_independent_model) {
    for (uint64_t seed = 1; seed <= 1500; seed++) {
        SCOPED_TRACE(seed);
        Random random(seed);
        PageImage page = random_page(random);
        Model model(page);
        std::vector<std::byte> memory(200000);
        PageEdit edit(memory);
        edit.page(FakeGuard{1});
        const size_t operations = 1 + random.below(12);
        for (size_t i = 0; i < operations; i++) add_random_operation(edit, model, random);
        ASSERT_TRUE(apply_script(page, edit.script(0), {}).ok());
        ASSERT_EQ(page, model.page());
    }
}

TEST(PageEditProperty, a_script_cut_anywhere_is_refused_or_ends_after_a_whole_operation) {
    for (uint64_t seed = 1; seed <= 20; seed++) {
        SCOPED_TRACE(seed);
        Random random(seed);
        const PageImage start = random_page(random);
        Model model(start);
        std::vector<std::byte> memory(60000);
        PageEdit edit(memory);
        edit.page(FakeGuard{1});
        std::vector<size_t> ends = {0};
        std::vector<PageImage> images = {start};
        for (int i = 0; i < 4; i++) {
            add_random_operation(edit, model, random);
            ends.push_back(edit.script(0).size());
            images.push_back(model.page());
        }
        size_t whole = 0;
        for (size_t length = 0; length <= ends.back(); length++) {
            if (whole + 1 < ends.size() && length == ends[whole + 1]) whole++;
            PageImage page = start;
            const Status status = apply_script(page, edit.script(0).first(length), {});
            ASSERT_EQ(status.ok(), length == ends[whole]) << length;
            // A cut operation leaves what the whole ones before it made.
            ASSERT_EQ(page, images[whole]) << length;
        }
    }
}

}  // namespace
}  // namespace pagoda::test

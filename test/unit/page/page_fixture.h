// Pages, guards and scripts for the tests of core/page.
#pragma once

#include <array>
#include <vector>

#include "core/base/random.h"
#include "core/page/edit.h"

namespace pagoda::test {

using PageImage = std::array<std::byte, page_bytes>;
using Script = std::vector<std::byte>;

// Stands for a page that a store has locked.
struct FakeGuard {
    uint32_t number;
    uint32_t block() const { return number; }
    int32_t handle() const { return static_cast<int32_t>(number) + 100; }
};

// An initialised page with random bytes in everything that operations may change.
inline PageImage random_page(Random& random) {
    PageImage page;
    init_page(page, PageKind::ivf_stream, 1, 77);
    for (size_t i = page_header_bytes; i < content_end; i++) {
        page[i] = static_cast<std::byte>(random.next());
    }
    return page;
}

inline std::vector<std::byte> random_bytes(size_t count, Random& random) {
    std::vector<std::byte> bytes(count);
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random.next());
    return bytes;
}

// The script that PageEdit makes of one call, such as [](PageEdit& edit) { edit.fill(...); }.
template <class Build>
Script script_of(Build build) {
    std::vector<std::byte> memory(1 << 16);
    PageEdit edit(memory);
    edit.page(FakeGuard{3});
    build(edit);
    const auto script = edit.script(0);
    return {script.begin(), script.end()};
}

// Makes scripts byte by byte, also ones that PageEdit refuses to make.
class RawScript {
  public:
    RawScript& u8(unsigned value) { return raw(static_cast<uint8_t>(value)); }
    RawScript& u16(unsigned value) { return raw(static_cast<uint16_t>(value)); }
    RawScript& u32(uint32_t value) { return raw(value); }
    RawScript& zeros(size_t count) {
        bytes_.resize(bytes_.size() + count);
        return *this;
    }
    operator std::span<const std::byte>() const { return bytes_; }

  private:
    template <class T>
    RawScript& raw(T value) {
        const size_t at = bytes_.size();
        bytes_.resize(at + sizeof(T));
        store(bytes_.data() + at, value);
        return *this;
    }
    std::vector<std::byte> bytes_;
};

}  // namespace pagoda::test

// How a script is laid out in bytes: the codes of its operations and a bounded reader. Private to
// core/page; edit.h has the table of operations.
#pragma once

#include <cstdint>
#include <span>

#include "core/base/bits.h"

namespace pagoda {

// Codes are part of the WAL format: new ones are added behind the last.
enum Operation : uint8_t {
    op_init = 1,
    op_write = 2,
    op_fill = 3,
    op_move = 4,
    op_insert = 5,
    op_erase = 6,
    op_nibbles = 7,
    op_bounds = 8,
    op_transform = 9,
};

// Reads a script without ever passing its end.
class ScriptReader {
  public:
    explicit ScriptReader(std::span<const std::byte> bytes) : bytes_(bytes) {}

    bool at_end() const { return bytes_.empty(); }

    template <class T>
    T take() {
        const auto raw = take_bytes(sizeof(T));
        return raw.size() == sizeof(T) ? load<T>(raw.data()) : T{};
    }

    // `count` bytes, or none and a failed reader when fewer are left.
    std::span<const std::byte> take_bytes(size_t count) {
        if (count > bytes_.size()) {
            failed_ = true;
            bytes_ = {};
            return {};
        }
        const auto taken = bytes_.first(count);
        bytes_ = bytes_.subspan(count);
        return taken;
    }

    bool failed() const { return failed_; }
    std::span<const std::byte> rest() const { return bytes_; }

  private:
    std::span<const std::byte> bytes_;
    bool failed_ = false;
};

}  // namespace pagoda

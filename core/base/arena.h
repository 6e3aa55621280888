// A bump allocator over memory that the caller owns. It never frees and never grows; running out is
// reported by an empty span, which the caller turns into ErrorCode::no_space (or sizes exactly
// beforehand). Trivially destructible, so it may be alive when the server leaves by longjmp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>

#include "core/base/check.h"

namespace pagoda {

class Arena {
  public:
    explicit Arena(std::span<std::byte> memory) : memory_(memory) {}

    // `count` zero-initialised elements aligned to 64 bytes, or an empty span when space is short.
    template <class T>
    std::span<T> allocate(size_t count) {
        static_assert(std::is_trivially_copyable_v<T>);
        const auto address = reinterpret_cast<uintptr_t>(memory_.data()) + used_;
        const size_t padding = (alignment - address % alignment) % alignment;
        const size_t bytes = count * sizeof(T);
        if (count == 0 || bytes / sizeof(T) != count) return {};
        if (padding > memory_.size() - used_ || bytes > memory_.size() - used_ - padding) return {};
        std::byte* start = memory_.data() + used_ + padding;
        used_ += padding + bytes;
        __builtin_memset(start, 0, bytes);
        return {reinterpret_cast<T*>(start), count};
    }

    // Bytes that an allocation of `count` elements of T may need, padding included.
    template <class T>
    static constexpr size_t bytes_for(size_t count) {
        return count * sizeof(T) + alignment;
    }

    size_t used() const { return used_; }
    size_t remaining() const { return memory_.size() - used_; }
    void reset() { used_ = 0; }

    static constexpr size_t alignment = 64;

  private:
    std::span<std::byte> memory_;
    size_t used_ = 0;
};

}  // namespace pagoda

// Rounding and unaligned little-endian access. Index pages are stored in the byte order of the
// machine, as PostgreSQL's own pages are; supported machines are little-endian.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

namespace pagoda {

static_assert(std::endian::native == std::endian::little);

constexpr size_t round_up(size_t value, size_t multiple) {
    return (value + multiple - 1) / multiple * multiple;
}

constexpr size_t divide_up(size_t value, size_t divisor) {
    return (value + divisor - 1) / divisor;
}

template <class T>
T load(const void* source) {
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    std::memcpy(&value, source, sizeof(T));
    return value;
}

template <class T>
void store(void* target, T value) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::memcpy(target, &value, sizeof(T));
}

}  // namespace pagoda

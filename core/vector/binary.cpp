// Reads and writes the network form; the layout is in the header.
#include "core/vector/binary.h"

#include <algorithm>

#include "core/base/bits.h"
#include "core/base/check.h"

namespace pagoda {
namespace {

uint16_t swap_bytes(uint16_t value) {
    return __builtin_bswap16(value);
}
uint32_t swap_bytes(uint32_t value) {
    return __builtin_bswap32(value);
}

template <Element E>
using Bits = std::conditional_t<std::is_same_v<E, Half>, uint16_t, uint32_t>;

}  // namespace

BinaryHeader decode_header(std::span<const std::byte, binary_header_bytes> source) {
    return {static_cast<int16_t>(swap_bytes(load<uint16_t>(source.data()))),
            static_cast<int16_t>(swap_bytes(load<uint16_t>(source.data() + 2)))};
}

template <Element E>
Finiteness decode_elements(std::span<const std::byte> source, std::span<E> target) {
    const size_t count = std::min(source.size() / sizeof(E), target.size());
    for (size_t i = 0; i < count; ++i) {
        const auto bits = swap_bytes(load<Bits<E>>(source.data() + i * sizeof(E)));
        target[i] = std::bit_cast<E>(bits);
        if (const Finiteness state = finiteness(target[i]); state != Finiteness::finite) {
            return state;
        }
    }
    return Finiteness::finite;
}

template <Element E>
void encode(std::span<const E> values, std::span<std::byte> target) {
    check(!values.empty() && values.size() <= dimensions_max);
    check(target.size() == binary_bytes<E>(values.size()));
    store(target.data(), swap_bytes(static_cast<uint16_t>(values.size())));
    store(target.data() + 2, uint16_t{0});
    std::byte* end = target.data() + binary_header_bytes;
    for (const E value : values) {
        store(end, swap_bytes(std::bit_cast<Bits<E>>(value)));
        end += sizeof(E);
    }
}

template Finiteness decode_elements<float>(std::span<const std::byte>, std::span<float>);
template Finiteness decode_elements<Half>(std::span<const std::byte>, std::span<Half>);
template void encode<float>(std::span<const float>, std::span<std::byte>);
template void encode<Half>(std::span<const Half>, std::span<std::byte>);

}  // namespace pagoda

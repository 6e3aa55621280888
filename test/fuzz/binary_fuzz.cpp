// The binary decoder on arbitrary bytes: it reads no byte too far, its verdict is that of a
// byte-wise oracle, and what it accepts is encoded to the same bytes again.
#include <algorithm>
#include <vector>

#include "core/base/check.h"
#include "core/vector/binary.h"
#include "test/support/fuzz.h"

namespace pagoda {
namespace {

// The bits of element i, most significant byte first.
template <Element E>
uint32_t bits_at(const std::vector<std::byte>& bytes, size_t i) {
    uint32_t bits = 0;
    for (size_t j = 0; j < sizeof(E); ++j) {
        bits = bits << 8 | std::to_integer<uint32_t>(bytes[i * sizeof(E) + j]);
    }
    return bits;
}

// By the exponent and fraction fields: exponent bits all set is infinity or NaN.
template <Element E>
Finiteness finiteness_of(uint32_t bits) {
    constexpr uint32_t exponent = std::is_same_v<E, Half> ? 0x7C00 : 0x7F800000;
    constexpr uint32_t fraction = std::is_same_v<E, Half> ? 0x03FF : 0x007FFFFF;
    if ((bits & exponent) != exponent) return Finiteness::finite;
    return (bits & fraction) == 0 ? Finiteness::infinite : Finiteness::not_a_number;
}

template <Element E>
void check_elements(const std::vector<std::byte>& bytes, size_t capacity) {
    const size_t count = std::min(bytes.size() / sizeof(E), capacity);
    Finiteness expected = Finiteness::finite;
    for (size_t i = 0; i < count && expected == Finiteness::finite; ++i) {
        expected = finiteness_of<E>(bits_at<E>(bytes, i));
    }
    std::vector<E> values(capacity);
    check_always(decode_elements(std::span<const std::byte>(bytes), std::span<E>(values)) ==
                 expected);
    if (expected != Finiteness::finite || count == 0) return;
    values.resize(count);
    std::vector<std::byte> encoded(binary_bytes<E>(count));
    encode(std::span<const E>(values), std::span<std::byte>(encoded));
    const BinaryHeader header =
        decode_header(std::span<const std::byte>(encoded).first<binary_header_bytes>());
    check_always(static_cast<size_t>(header.dimensions) == count);
    check_always(header.unused == 0);
    check_always(std::equal(encoded.begin() + binary_header_bytes, encoded.end(), bytes.begin()));
}

void fuzz_step(Random& random) {
    std::vector<std::byte> bytes(random.below(80));
    // Without care nearly every input has an infinite element or none: choose how likely they are.
    const uint64_t odds = 1 + random.below(20);
    for (std::byte& byte : bytes) {
        const bool is_extreme = random.below(odds * 4) == 0;
        byte = static_cast<std::byte>(is_extreme ? 0x7C | random.next() : random.below(0x7C));
    }
    const size_t capacity = random.below(24);
    check_elements<float>(bytes, capacity);
    check_elements<Half>(bytes, capacity);
}

}  // namespace
}  // namespace pagoda

int main(int argc, char** argv) {
    return pagoda::test::run_fuzzer(argc, argv, {.name = "binary_fuzz", .steps = 200000, .seed = 1},
                                    pagoda::fuzz_step);
}

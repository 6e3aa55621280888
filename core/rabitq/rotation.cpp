// The rotation, see rotation.h. The Hadamard transform, the sign flips and the mix are each
// symmetric and their own inverse, so the way back is the same steps in reverse order.
#include "core/rabitq/rotation.h"

#include <bit>
#include <cmath>

#include "core/base/check.h"
#include "core/base/random.h"
#include "core/simd/kernels.h"

namespace pagoda::rabitq {
namespace {

struct Round {
    const uint8_t* signs;
    float* part;  // of the Hadamard transform
    size_t part_size;
    float scale;
};

Round round_of(const Rotation& rotation, std::span<float> x, size_t index) {
    const size_t dim = rotation.padded_dim;
    const size_t size = std::bit_floor(dim);
    const auto scale = static_cast<float>(1.0 / std::sqrt(static_cast<double>(size)));
    float* part = index % 2 == 0 ? x.data() : x.data() + (dim - size);
    return {rotation.signs.data() + index * dim / 8, part, size, scale};
}

bool mixes_after(const Rotation& rotation, size_t round) {
    return round % 2 == 1 && !std::has_single_bit(rotation.padded_dim);
}

}  // namespace

Rotation make_rotation(size_t padded_dim, uint64_t seed, std::span<uint8_t> signs) {
    check(padded_dim == padded_dimension(padded_dim));
    check(signs.size() == rotation_sign_bytes(padded_dim));
    Random random(seed);
    for (size_t i = 0; i < signs.size(); i += 8) {
        const uint64_t word = random.next();
        for (size_t j = 0; j < 8 && i + j < signs.size(); ++j) {
            signs[i + j] = static_cast<uint8_t>(word >> (8 * j));
        }
    }
    return {padded_dim, signs};
}

void rotate(const Rotation& rotation, std::span<float> x) {
    check(x.size() == rotation.padded_dim);
    const simd::Kernels& k = simd::kernels();
    for (size_t i = 0; i < rotation_rounds; ++i) {
        const Round round = round_of(rotation, x, i);
        k.flip_signs(x.data(), round.signs, x.size());
        k.hadamard(round.part, round.part_size, round.scale);
        if (mixes_after(rotation, i)) k.givens_mix(x.data(), x.size());
    }
}

void rotate_back(const Rotation& rotation, std::span<float> x) {
    check(x.size() == rotation.padded_dim);
    const simd::Kernels& k = simd::kernels();
    for (size_t i = rotation_rounds; i-- > 0;) {
        const Round round = round_of(rotation, x, i);
        if (mixes_after(rotation, i)) k.givens_mix(x.data(), x.size());
        k.hadamard(round.part, round.part_size, round.scale);
        k.flip_signs(x.data(), round.signs, x.size());
    }
}

}  // namespace pagoda::rabitq

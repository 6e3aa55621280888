// Every vector level against the scalar kernels: bit-exact where the table promises it, within a
// rounding bound otherwise, for all tails and with extreme inputs. On a machine without a vector
// level the scalar kernels are still compared with straightforward formulas.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

#include "core/base/random.h"
#include "core/simd/half_bits.h"
#include "core/simd/kernels.h"

namespace pagoda::simd {
namespace {

const Kernels& scalar() {
    return *kernels_of(Level::scalar);
}

std::vector<const Kernels*> all_levels() {
    std::vector<const Kernels*> levels;
    for (Level level : {Level::scalar, Level::avx2, Level::neon}) {
        if (const Kernels* table = kernels_of(level)) levels.push_back(table);
    }
    return levels;
}

float signed_unit(Random& random) {
    return static_cast<float>(random.unit() * 2 - 1);
}

std::vector<float> random_floats(Random& random, size_t n) {
    std::vector<float> values(n);
    for (float& v : values) v = signed_unit(random);
    return values;
}

std::vector<uint16_t> to_halves(const std::vector<float>& values) {
    std::vector<uint16_t> halves(values.size());
    for (size_t i = 0; i < values.size(); ++i) halves[i] = f16_from_f32(values[i]);
    return halves;
}

std::vector<float> to_floats(const std::vector<uint16_t>& halves) {
    std::vector<float> values(halves.size());
    for (size_t i = 0; i < halves.size(); ++i) values[i] = f32_from_f16(halves[i]);
    return values;
}

struct Sums {
    double l2 = 0, dot = 0, l1 = 0, aa = 0, bb = 0;
    double absolute = 0;  // of the products, the scale of rounding errors of dot
};

Sums exact_sums(const std::vector<float>& a, const std::vector<float>& b) {
    Sums sums;
    for (size_t i = 0; i < a.size(); ++i) {
        const double x = a[i], y = b[i];
        sums.l2 += (x - y) * (x - y);
        sums.l1 += std::fabs(x - y);
        sums.dot += x * y;
        sums.absolute += std::fabs(x * y);
        sums.aa += x * x;
        sums.bb += y * y;
    }
    return sums;
}

// Bits as an integer, so that EXPECT_EQ compares zero signs and NaN as well.
uint32_t bits(float value) {
    return std::bit_cast<uint32_t>(value);
}

constexpr float infinity = std::numeric_limits<float>::infinity();

TEST(Kernels, scalar_is_always_there_and_a_level_can_be_forced) {
    ASSERT_NE(kernels_of(Level::scalar), nullptr);
    EXPECT_EQ(scalar().level, Level::scalar);
    const Level before = kernels().level;
    EXPECT_TRUE(force_level(Level::scalar));
    EXPECT_EQ(kernels().level, Level::scalar);
    EXPECT_TRUE(force_level(before));
    EXPECT_FALSE(kernels_of(Level::avx2) != nullptr && kernels_of(Level::neon) != nullptr);
    for (Level level : {Level::avx2, Level::neon}) {
        EXPECT_EQ(force_level(level), kernels_of(level) != nullptr);
    }
    EXPECT_TRUE(force_level(before));
    EXPECT_EQ(kernels().level, before);
}

TEST(Kernels, f32_distances_agree_with_double_sums_for_every_tail) {
    Random random(101);
    for (size_t n = 0; n <= 130; ++n) {
        const auto a = random_floats(random, n), b = random_floats(random, n);
        const Sums sums = exact_sums(a, b);
        const double slack = 1e-6 * (1 + static_cast<double>(n));
        for (const Kernels* k : all_levels()) {
            EXPECT_NEAR(k->l2_f32(a.data(), b.data(), n), sums.l2, slack) << k->name << " " << n;
            EXPECT_NEAR(k->dot_f32(a.data(), b.data(), n), sums.dot, slack) << k->name << " " << n;
            EXPECT_NEAR(k->l1_f32(a.data(), b.data(), n), sums.l1, slack) << k->name << " " << n;
            float out[3];
            k->cosine_f32(a.data(), b.data(), n, out);
            EXPECT_NEAR(out[0], sums.dot, slack) << k->name << " " << n;
            EXPECT_NEAR(out[1], sums.aa, slack) << k->name << " " << n;
            EXPECT_NEAR(out[2], sums.bb, slack) << k->name << " " << n;
        }
    }
}

TEST(Kernels, f16_distances_agree_with_double_sums_for_every_tail) {
    Random random(102);
    for (size_t n = 0; n <= 130; ++n) {
        const auto ha = to_halves(random_floats(random, n));
        const auto hb = to_halves(random_floats(random, n));
        const auto a = to_floats(ha), b = to_floats(hb);
        const Sums sums = exact_sums(a, b);
        const double slack = 1e-6 * (1 + static_cast<double>(n));
        for (const Kernels* k : all_levels()) {
            EXPECT_NEAR(k->l2_f16(ha.data(), hb.data(), n), sums.l2, slack) << k->name << " " << n;
            EXPECT_NEAR(k->dot_f16(ha.data(), hb.data(), n), sums.dot, slack) << k->name << n;
            EXPECT_NEAR(k->l1_f16(ha.data(), hb.data(), n), sums.l1, slack) << k->name << " " << n;
            EXPECT_NEAR(k->dot_f32_f16(a.data(), hb.data(), n), sums.dot, slack) << k->name << n;
            EXPECT_NEAR(k->l2_f32_f16(a.data(), hb.data(), n), sums.l2, slack) << k->name << n;
            float out[3];
            k->cosine_f16(ha.data(), hb.data(), n, out);
            EXPECT_NEAR(out[0], sums.dot, slack) << k->name << " " << n;
            EXPECT_NEAR(out[1], sums.aa, slack) << k->name << " " << n;
            EXPECT_NEAR(out[2], sums.bb, slack) << k->name << " " << n;
        }
    }
}

TEST(Kernels, distances_overflow_to_infinity_and_pass_nan_in_every_position) {
    constexpr size_t n = 37;
    const std::vector<float> zero(n, 0.0f);
    for (const Kernels* k : all_levels()) {
        for (size_t at = 0; at < n; ++at) {
            std::vector<float> a(n, 1.0f);
            a[at] = 3e19f;
            EXPECT_EQ(k->l2_f32(a.data(), zero.data(), n), infinity) << k->name << " " << at;
            EXPECT_EQ(k->dot_f32(a.data(), a.data(), n), infinity) << k->name << " " << at;
            EXPECT_TRUE(std::isfinite(k->l1_f32(a.data(), zero.data(), n))) << k->name;
            a[at] = std::numeric_limits<float>::quiet_NaN();
            EXPECT_TRUE(std::isnan(k->l2_f32(a.data(), zero.data(), n))) << k->name << " " << at;
            EXPECT_TRUE(std::isnan(k->dot_f32(a.data(), zero.data(), n))) << k->name << " " << at;
            EXPECT_TRUE(std::isnan(k->l1_f32(a.data(), zero.data(), n))) << k->name << " " << at;
            a[at] = -infinity;
            EXPECT_EQ(k->l1_f32(a.data(), zero.data(), n), infinity) << k->name << " " << at;
            EXPECT_TRUE(std::isnan(k->dot_f32(a.data(), zero.data(), n))) << k->name << " " << at;
        }
    }
}

TEST(HalfBits, every_half_survives_the_way_through_f32) {
    for (uint32_t h = 0; h < 65536; ++h) {
        const auto half = static_cast<uint16_t>(h);
        const bool is_nan = (h & 0x7C00) == 0x7C00 && (h & 0x3FF) != 0;
        const uint16_t expected = is_nan ? static_cast<uint16_t>(h | 0x200) : half;
        ASSERT_EQ(f16_from_f32(f32_from_f16(half)), expected) << h;
    }
    EXPECT_EQ(f32_from_f16(0x3C00), 1.0f);
    EXPECT_EQ(f32_from_f16(0xC000), -2.0f);
    EXPECT_EQ(f32_from_f16(0x7BFF), 65504.0f);
    EXPECT_EQ(f32_from_f16(0x0001), 0x1p-24f);
    EXPECT_EQ(f32_from_f16(0xFC00), -infinity);
}

TEST(HalfBits, rounding_is_to_nearest_even_between_all_neighbours) {
    for (uint32_t h = 0; h < 0x7BFF; ++h) {
        const double low = f32_from_f16(static_cast<uint16_t>(h));
        const double high = f32_from_f16(static_cast<uint16_t>(h + 1));
        const auto middle = static_cast<float>((low + high) / 2);
        const uint32_t even = (h & 1) == 0 ? h : h + 1;
        ASSERT_EQ(f16_from_f32(middle), even) << h;
        ASSERT_EQ(f16_from_f32(std::nextafter(middle, 0.0f)), h) << h;
        ASSERT_EQ(f16_from_f32(std::nextafter(middle, infinity)), h + 1) << h;
        ASSERT_EQ(f16_from_f32(-middle), even | 0x8000) << h;
    }
    EXPECT_EQ(f16_from_f32(65519.996f), 0x7BFF);
    EXPECT_EQ(f16_from_f32(65520.0f), 0x7C00);
    EXPECT_EQ(f16_from_f32(-3e38f), 0xFC00);
    EXPECT_EQ(f16_from_f32(-0.0f), 0x8000);
}

TEST(Kernels, conversions_are_bit_exact_for_all_halves_and_many_floats) {
    Random random(103);
    std::vector<uint16_t> halves(65536);
    for (size_t i = 0; i < halves.size(); ++i) halves[i] = static_cast<uint16_t>(i);
    std::vector<float> floats(200003);
    for (float& f : floats) f = std::bit_cast<float>(static_cast<uint32_t>(random.next()));
    for (size_t i = 0; i < floats.size(); i += 2) {  // more of those that do not overflow
        floats[i] = std::ldexp(signed_unit(random), static_cast<int>(random.below(46)) - 28);
    }
    for (const Kernels* k : all_levels()) {
        std::vector<float> wide(halves.size());
        k->f16_to_f32(halves.data(), wide.data(), halves.size());
        for (size_t i = 0; i < halves.size(); ++i) {
            ASSERT_EQ(bits(wide[i]), bits(f32_from_f16(halves[i]))) << k->name << " " << i;
        }
        std::vector<uint16_t> narrow(floats.size());
        k->f32_to_f16(floats.data(), narrow.data(), floats.size());
        for (size_t i = 0; i < floats.size(); ++i) {
            ASSERT_EQ(narrow[i], f16_from_f32(floats[i])) << k->name << " " << bits(floats[i]);
        }
    }
}

TEST(Kernels, conversions_write_exactly_n_elements) {
    Random random(104);
    for (const Kernels* k : all_levels()) {
        for (size_t n = 0; n <= 40; ++n) {
            const auto source = random_floats(random, n);
            const auto halves = to_halves(source);
            std::vector<uint16_t> narrow(n + 8, 0xABCD);
            k->f32_to_f16(source.data(), narrow.data(), n);
            std::vector<float> wide(n + 8, -7.0f);
            k->f16_to_f32(halves.data(), wide.data(), n);
            for (size_t i = 0; i < n + 8; ++i) {
                EXPECT_EQ(narrow[i], i < n ? halves[i] : 0xABCD) << k->name << " " << n;
                EXPECT_EQ(wide[i], i < n ? f32_from_f16(halves[i]) : -7.0f) << k->name << " " << n;
            }
        }
    }
}

std::vector<uint8_t> random_bytes(Random& random, size_t n, uint64_t bound) {
    std::vector<uint8_t> bytes(n);
    for (uint8_t& b : bytes) b = static_cast<uint8_t>(random.below(bound));
    return bytes;
}

TEST(Kernels, fastscan_is_bit_exact_for_every_row_count) {
    Random random(105);
    for (size_t rows = 0; rows <= fastscan_rows_max; rows += rows < 40 ? 1 : 17) {
        const auto codes = random_bytes(random, rows * 16, 256);
        const auto table = random_bytes(random, rows * 16, 128);
        uint16_t start[32];
        for (uint16_t& a : start) a = static_cast<uint16_t>(random.below(65536 - 127 * rows));
        uint32_t expected[32];
        for (size_t lane = 0; lane < 32; ++lane) {
            expected[lane] = start[lane];
            for (size_t row = 0; row < rows; ++row) {
                const uint8_t byte = codes[row * 16 + lane % 16];
                expected[lane] += table[row * 16 + (lane < 16 ? byte & 15 : byte >> 4)];
            }
        }
        for (const Kernels* k : all_levels()) {
            uint16_t acc[32];
            std::memcpy(acc, start, sizeof acc);
            k->fastscan(codes.data(), table.data(), rows, acc);
            for (size_t lane = 0; lane < 32; ++lane) {
                ASSERT_EQ(acc[lane], expected[lane]) << k->name << " " << rows << " " << lane;
            }
        }
    }
}

TEST(Kernels, fastscan_does_not_wrap_with_the_largest_tables) {
    const std::vector<uint8_t> table(fastscan_rows_max * 16, 127);
    for (uint8_t byte : {0x00, 0x0F, 0xF0, 0xFF}) {
        const std::vector<uint8_t> codes(fastscan_rows_max * 16, byte);
        for (const Kernels* k : all_levels()) {
            uint16_t acc[32] = {};
            k->fastscan(codes.data(), table.data(), fastscan_rows_max, acc);
            for (uint16_t a : acc) ASSERT_EQ(a, 127 * fastscan_rows_max) << k->name;
        }
    }
}

struct FilterCase {
    uint32_t acc[32];
    uint16_t add[32], s[32];
    Kernels::FilterArgs args;
};

FilterCase random_filter(Random& random) {
    FilterCase c;
    for (size_t i = 0; i < 32; ++i) {
        c.acc[i] = static_cast<uint32_t>(random.below(600000));
        c.add[i] = f16_from_f32(8000 * signed_unit(random));
        c.s[i] = f16_from_f32(static_cast<float>(8000 * random.unit()));
    }
    const auto slope = random.below(2) != 0 ? -2.0f : -1.0f;
    c.args = {std::ldexp(1.0f, static_cast<int>(random.below(40)) - 20),
              std::ldexp(1.0f, static_cast<int>(random.below(40)) - 20),
              signed_unit(random),
              slope,
              static_cast<float>(random.unit()),
              static_cast<float>(random.unit()) * 1e-3f,
              signed_unit(random),
              signed_unit(random)};
    return c;
}

TEST(Kernels, filter_gives_the_scalar_bits_and_mask) {
    Random random(106);
    for (int round = 0; round < 2000; ++round) {
        FilterCase c = random_filter(random);
        float lower[32], estimate[32];
        scalar().filter(c.acc, c.add, c.s, &c.args, lower, estimate);
        c.args.threshold = lower[random.below(32)];  // so that an equal value is not below
        const uint32_t mask = scalar().filter(c.acc, c.add, c.s, &c.args, lower, estimate);
        for (size_t i = 0; i < 32; ++i) {
            ASSERT_EQ(mask >> i & 1, lower[i] < c.args.threshold ? 1u : 0u);
        }
        for (const Kernels* k : all_levels()) {
            float other_lower[32], other_estimate[32];
            ASSERT_EQ(k->filter(c.acc, c.add, c.s, &c.args, other_lower, other_estimate), mask);
            for (size_t i = 0; i < 32; ++i) {
                ASSERT_EQ(bits(lower[i]), bits(other_lower[i])) << k->name << " " << i;
                ASSERT_EQ(bits(estimate[i]), bits(other_estimate[i])) << k->name << " " << i;
            }
        }
    }
}

TEST(Kernels, filter_never_accepts_nan_or_an_infinite_addend) {
    Random random(107);
    for (const Kernels* k : all_levels()) {
        FilterCase c = random_filter(random);
        c.args.threshold = infinity;
        for (size_t i = 0; i < 32; ++i) {
            c.add[i] = i % 2 == 0 ? 0x7C00 : 0x7E00;
            c.s[i] = 0;
        }
        float lower[32], estimate[32];
        EXPECT_EQ(k->filter(c.acc, c.add, c.s, &c.args, lower, estimate), 0u) << k->name;
        for (size_t i = 0; i < 32; i += 2) EXPECT_EQ(lower[i], infinity) << k->name;
        for (size_t i = 1; i < 32; i += 2) EXPECT_TRUE(std::isnan(lower[i])) << k->name;
    }
}

// What a lane of the query holds: random, or one of its limits.
int16_t query_value(Random& random, int kind) {
    if (kind == 0) return static_cast<int16_t>(static_cast<int>(random.below(4095)) - 2047);
    if (kind == 1) return 2047;
    return -2047;
}

TEST(Kernels, code_dot_products_are_exact_for_every_tail_and_the_extremes) {
    Random random(108);
    for (int kind = 0; kind < 3; ++kind) {
        for (size_t n = 0; n <= 16384; n = n < 140 ? n + 1 : n * 3 / 2 + n % 2 + 1) {
            std::vector<int16_t> query(n + 1);
            for (int16_t& q : query) q = query_value(random, kind);
            auto code = random_bytes(random, n, 256);
            if (kind != 0) code.assign(n, 255);
            int64_t expected_u8 = 0, expected_u4 = 0;
            const size_t even = n - n % 2;
            for (size_t i = 0; i < n; ++i) expected_u8 += int64_t{code[i]} * query[i];
            for (size_t i = 0; i < even; ++i) {
                expected_u4 += int64_t{code[i / 2] >> (i % 2 * 4) & 15} * query[i];
            }
            for (const Kernels* k : all_levels()) {
                ASSERT_EQ(k->dot_u8_i16(code.data(), query.data(), n), expected_u8) << k->name << n;
                ASSERT_EQ(k->dot_u4_i16(code.data(), query.data(), even), expected_u4)
                    << k->name << " " << n;
            }
        }
    }
    const std::vector<uint8_t> code(16384, 255);
    const std::vector<int16_t> query(16384, -2047);
    for (const Kernels* k : all_levels()) {
        EXPECT_EQ(k->dot_u8_i16(code.data(), query.data(), 16384), -int64_t{16384} * 255 * 2047);
    }
}

TEST(Kernels, hadamard_gives_the_scalar_bits_and_is_its_own_inverse) {
    Random random(109);
    for (size_t n = 1; n <= 16384; n *= 2) {
        const auto x = random_floats(random, n);
        const auto scale = static_cast<float>(1 / std::sqrt(static_cast<double>(n)));
        auto expected = x;
        scalar().hadamard(expected.data(), n, scale);
        for (const Kernels* k : all_levels()) {
            auto y = x;
            k->hadamard(y.data(), n, scale);
            for (size_t i = 0; i < n; ++i) {
                ASSERT_EQ(bits(y[i]), bits(expected[i])) << k->name << " " << n << " " << i;
            }
            k->hadamard(y.data(), n, scale);
            for (size_t i = 0; i < n; ++i) ASSERT_NEAR(y[i], x[i], 1e-5) << k->name << " " << n;
        }
    }
}

TEST(Kernels, sign_flips_and_givens_mix_give_the_scalar_bits_for_every_tail) {
    Random random(110);
    for (size_t n = 0; n <= 100; ++n) {
        const auto x = random_floats(random, n);
        const auto flips = random_bytes(random, (n + 7) / 8, 256);
        for (const Kernels* k : all_levels()) {
            auto y = x;
            k->flip_signs(y.data(), flips.data(), n);
            for (size_t i = 0; i < n; ++i) {
                const bool flip = (flips[i / 8] >> (i % 8) & 1) != 0;
                ASSERT_EQ(bits(y[i]), bits(flip ? -x[i] : x[i])) << k->name << " " << n;
            }
            const size_t even = n - n % 2;
            auto expected = x;
            scalar().givens_mix(expected.data(), even);
            auto mixed = x;
            k->givens_mix(mixed.data(), even);
            for (size_t i = 0; i < n; ++i) ASSERT_EQ(bits(mixed[i]), bits(expected[i])) << k->name;
        }
    }
}

void expect_product(const Kernels& k, size_t rows, size_t columns, size_t depth) {
    Random random(111 + rows * 7 + columns * 31 + depth);
    const auto a = random_floats(random, rows * depth), b = random_floats(random, columns * depth);
    const size_t stride = columns + 3;
    std::vector<float> out(rows * stride, -9.0f);
    std::vector<float> workspace(gemm_workspace_floats(depth));
    k.gemm(a.data(), rows, b.data(), columns, depth, out.data(), stride, workspace.data());
    for (size_t i = 0; i < rows; ++i) {
        for (size_t j = 0; j < stride; ++j) {
            double expected = 0, size = 0;
            for (size_t d = 0; d < depth && j < columns; ++d) {
                const double product = double{a[i * depth + d]} * double{b[j * depth + d]};
                expected += product;
                size += std::fabs(product);
            }
            if (j >= columns) expected = -9;
            ASSERT_NEAR(out[i * stride + j], expected, 1e-6 * (1 + size))
                << k.name << " " << rows << "x" << columns << "x" << depth;
        }
    }
}

TEST(Kernels, gemm_agrees_with_double_sums_for_all_row_column_and_depth_tails) {
    for (const Kernels* k : all_levels()) {
        for (size_t rows : {1, 2, 3, 4, 5, 6, 7, 11, 12, 13, 25}) {
            for (size_t columns : {1, 2, 7, 8, 9, 15, 16, 17, 31, 33, 47, 48, 49, 100}) {
                for (size_t depth : {1, 3, 7, 8, 9, 16, 21, 40}) {
                    expect_product(*k, rows, columns, depth);
                }
            }
        }
        expect_product(*k, 17, 50, 768);
        expect_product(*k, 0, 5, 8);
        expect_product(*k, 5, 0, 8);
    }
}

}  // namespace
}  // namespace pagoda::simd

// The kernels that make codes and lookup tables: codes and tables bit-exact on every level, sums
// against straightforward formulas in double.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "core/base/random.h"
#include "core/simd/kernels.h"

namespace pagoda::simd {
namespace {

std::vector<const Kernels*> all_levels() {
    std::vector<const Kernels*> levels;
    for (Level level : {Level::scalar, Level::avx2, Level::neon}) {
        if (const Kernels* table = kernels_of(level)) levels.push_back(table);
    }
    return levels;
}

// Signed values of one scale with some exact zeros of both signs among them.
std::vector<float> random_values(Random& random, size_t n, double scale) {
    std::vector<float> values(n);
    for (float& v : values) {
        v = static_cast<float>((random.unit() * 2 - 1) * scale);
        const auto kind = random.below(16);
        if (kind == 0) v = 0.0f;
        if (kind == 1) v = -0.0f;
    }
    return values;
}

TEST(EncodingKernels, residual_sums_agree_with_double_sums_at_every_scale) {
    Random random(201);
    for (double scale : {1e-20, 1e-3, 1.0, 1e18}) {
        for (size_t n = 8; n <= 136; n += 8) {
            const auto z = random_values(random, n, scale), c = random_values(random, n, scale);
            const auto m = random_values(random, n, scale);
            double norm2 = 0, absolute = 0, sign_dot_c = 0, dot_c = 0, z_norm2 = 0, z_dot_m = 0;
            for (size_t i = 0; i < n; ++i) {
                const double r = z[i] - c[i];
                norm2 += r * r;
                absolute += std::fabs(r);
                sign_dot_c += r >= 0 ? double{c[i]} : -double{c[i]};
                dot_c += r * c[i];
                z_norm2 += double{z[i]} * z[i];
                z_dot_m += double{z[i]} * m[i];
            }
            const double slack = 1e-12 * static_cast<double>(n) * scale * 4;
            for (const Kernels* k : all_levels()) {
                std::vector<uint8_t> bits(n / 8);
                Kernels::ResidualSums sums;
                k->residual_sums(z.data(), c.data(), m.data(), n, bits.data(), &sums);
                EXPECT_NEAR(sums.norm2, norm2, slack * scale) << k->name << " " << n;
                EXPECT_NEAR(sums.absolute, absolute, slack) << k->name << " " << n;
                EXPECT_NEAR(sums.sign_dot_c, sign_dot_c, slack) << k->name << " " << n;
                EXPECT_NEAR(sums.dot_c, dot_c, slack * scale) << k->name << " " << n;
                EXPECT_NEAR(sums.z_norm2, z_norm2, slack * scale) << k->name << " " << n;
                EXPECT_NEAR(sums.z_dot_m, z_dot_m, slack * scale) << k->name << " " << n;
                for (size_t i = 0; i < n; ++i) {
                    ASSERT_EQ(bits[i / 8] >> (i % 8) & 1, z[i] - c[i] >= 0 ? 1 : 0) << k->name;
                }
                k->residual_sums(z.data(), c.data(), nullptr, n, bits.data(), &sums);
                EXPECT_EQ(sums.z_dot_m, 0) << k->name;
                EXPECT_NEAR(sums.norm2, norm2, slack * scale) << k->name << " " << n;
            }
        }
    }
}

// The level code of one value, from its definition.
int code_of(float z, float factor, int half_levels) {
    const int level = std::min(static_cast<int>(std::fabs(z) * factor), half_levels - 1);
    return z >= 0 ? half_levels + level : half_levels - 1 - level;
}

TEST(EncodingKernels, level_codes_follow_their_definition_for_every_tail) {
    Random random(202);
    for (size_t n = 0; n <= 100; n += 2) {
        const auto z = random_values(random, n, 1.0);
        for (float factor : {0.0f, 5.0f, 9.0f, 100.0f, 200.0f, 3e9f}) {
            for (const Kernels* k : all_levels()) {
                for (int half_levels : {128, 8}) {
                    const bool is_wide = half_levels == 128;
                    const size_t bytes = is_wide ? n : n / 2;
                    std::vector<uint8_t> code(bytes + 1, 0x5A);
                    Kernels::LevelSums sums;
                    (is_wide ? k->quantize_u8 : k->quantize_u4)(z.data(), n, factor, code.data(),
                                                                &sums);
                    double z_dot_y = 0, y_norm2 = 0;
                    for (size_t i = 0; i < n; ++i) {
                        const float held = factor > 1e6f && z[i] != 0 ? 1e3f : factor;
                        const float value = held != factor ? std::copysign(1.0f, z[i]) : z[i];
                        const int expected = code_of(value, held, half_levels);
                        const int stored = is_wide ? code[i] : code[i / 2] >> (i % 2 * 4) & 15;
                        ASSERT_EQ(stored, expected) << k->name << " " << n << " " << i;
                        const double y = expected - (half_levels - 0.5);
                        z_dot_y += double{z[i]} * y;
                        y_norm2 += y * y;
                    }
                    EXPECT_NEAR(sums.z_dot_y, z_dot_y, 1e-10 * (1 + z_dot_y)) << k->name;
                    EXPECT_EQ(sums.y_norm2, y_norm2) << k->name << " " << n;
                    EXPECT_EQ(code[bytes], 0x5A) << "wrote behind the code";
                }
            }
        }
    }
}

TEST(EncodingKernels, lookup_tables_have_the_same_bytes_on_every_level) {
    Random random(203);
    for (size_t rows = 0; rows <= 64; ++rows) {
        const auto w = random_values(random, rows * 4, 1.0);
        float largest = 1e-9f;
        for (size_t i = 0; i < w.size(); i += 4) {
            largest = std::max(largest, std::fabs(w[i]) + std::fabs(w[i + 1]) +
                                            std::fabs(w[i + 2]) + std::fabs(w[i + 3]));
        }
        const float factor = 127 / largest;
        for (const Kernels* k : all_levels()) {
            std::vector<uint8_t> table(rows * 16), expected(rows * 16);
            kernels_of(Level::scalar)->lookup(w.data(), rows, factor, expected.data());
            k->lookup(w.data(), rows, factor, table.data());
            EXPECT_EQ(table, expected) << k->name << " " << rows;
            for (size_t i = 0; i < table.size(); ++i) {
                double sum = 0;
                for (size_t j = 0; j < 4; ++j) {
                    const double v = double{w[i / 16 * 4 + j]} * factor;
                    const bool bit = (i % 16 >> j & 1) != 0;
                    if ((v >= 0) == bit) sum += std::fabs(v);
                }
                ASSERT_NEAR(table[i], sum, 0.501) << k->name << " " << i;
                ASSERT_LE(table[i], 127) << k->name;
            }
        }
    }
}

}  // namespace
}  // namespace pagoda::simd

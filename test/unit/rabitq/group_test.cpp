// Group images: lanes do not disturb each other, factors keep half precision under their exponents,
// an empty lane passes no filter, exponents from a damaged page are held to their limits.
#include "core/rabitq/group.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/rabitq/estimate.h"
#include "test/unit/rabitq/support.h"

namespace pagoda::rabitq {
namespace {

using Image = std::vector<std::byte>;

std::vector<uint8_t> random_bits(Random& random, size_t dim) {
    std::vector<uint8_t> bits(dim / 8);
    for (uint8_t& b : bits) b = static_cast<uint8_t>(random.next());
    return bits;
}

TEST(Group, size_is_that_of_the_format) {
    for (size_t dim : {64, 80, 768, 16000}) {
        EXPECT_EQ(group_bytes(dim), 4 * dim + 336);
        EXPECT_EQ(group_bytes(dim) % 16, 0u);
        EXPECT_EQ(add_offset(dim), 4 * dim);
        EXPECT_EQ(scale_offset(dim, 31), 4 * dim + 64 + 62);
        EXPECT_EQ(tid_offset(dim, 31) + 6, tail_offset(dim));
    }
}

TEST(Group, every_lane_gives_back_its_code_after_all_were_rewritten) {
    Random random(501);
    for (size_t dim : {64, 112, 768}) {
        Image image(group_bytes(dim));
        clear_group(image, dim);
        std::vector<std::vector<uint8_t>> codes(group_lanes);
        for (int round = 0; round < 3; ++round) {
            for (size_t lane = 0; lane < group_lanes; ++lane) {
                codes[lane] = random_bits(random, dim);
                put_code(image, dim, lane, codes[lane]);
            }
            for (size_t lane = 0; lane < group_lanes; ++lane) {
                std::vector<uint8_t> bits(dim / 8);
                take_code(image, dim, lane, bits);
                EXPECT_EQ(bits, codes[lane]) << dim << " " << lane;
            }
        }
    }
}

TEST(Group, single_nibble_edits_make_the_same_image_as_a_whole_code) {
    Random random(502);
    constexpr size_t dim = 112;
    Image whole(group_bytes(dim)), edited(group_bytes(dim));
    clear_group(whole, dim);
    clear_group(edited, dim);
    for (size_t step = 0; step < 100; ++step) {
        const size_t lane = random.below(group_lanes);
        const auto bits = random_bits(random, dim);
        put_code(whole, dim, lane, bits);
        for (size_t row = 0; row < group_rows(dim); ++row) {
            std::byte& target = edited[row * group_row_bytes + lane % 16];
            const auto old = std::to_integer<uint8_t>(target);
            target = std::byte{with_nibble(old, lane, code_nibble(bits, row))};
        }
        ASSERT_EQ(whole, edited) << lane;
    }
}

TEST(Group, the_scan_reads_the_lanes_that_were_put) {
    Random random(503);
    for (size_t dim : {64, 768, 4096}) {  // 4096: more rows than one fastscan may take
        Image image(group_bytes(dim));
        clear_group(image, dim);
        const auto w = test::gaussian_vector(random, dim);
        std::vector<uint8_t> table(lookup_bytes(dim));
        const LookupTable lookup = build_lookup(w, table);
        std::vector<std::vector<uint8_t>> codes(group_lanes);
        for (size_t lane = 0; lane < group_lanes; ++lane) {
            codes[lane] = random_bits(random, dim);
            put_code(image, dim, lane, codes[lane]);
        }
        uint32_t acc[32] = {}, pieces[32] = {};
        accumulate(image.data(), table.data(), group_rows(dim), acc);
        for (size_t row = 0, count = 3; row < group_rows(dim);
             row += count, count = count * 2 - 1) {
            count = std::min(count, group_rows(dim) - row);
            accumulate(image.data() + row * 16, table.data() + row * 16, count, pieces);
        }
        const double slack = 0.6 * lookup.step * std::sqrt(static_cast<double>(dim)) + 1e-3;
        for (size_t lane = 0; lane < group_lanes; ++lane) {
            EXPECT_EQ(acc[lane], pieces[lane]);
            const double estimated = double{lookup.step} * acc[lane] + lookup.offset;
            EXPECT_NEAR(estimated, sign_code_dot(codes[lane], w), slack) << dim << " " << lane;
        }
    }
}

TEST(Group, the_largest_factor_lands_in_4096_to_8192_and_leaves_room_for_eight_times_more) {
    Random random(504);
    for (int i = 0; i < 2000; ++i) {
        const double largest =
            std::ldexp(1 + random.unit(), static_cast<int>(random.below(220)) - 110);
        const int8_t exponent = choose_exponent(largest);
        const double scaled = std::ldexp(largest, -exponent);
        EXPECT_GE(scaled, 4096);
        EXPECT_LT(scaled, 8192);
        EXPECT_TRUE(fits(largest * 7.99, exponent));
        EXPECT_TRUE(fits(-largest, exponent));
        EXPECT_FALSE(fits(largest * 16.1, exponent));
        const float stored = decode_factor(encode_factor(largest, exponent), exponent);
        EXPECT_NEAR(stored / largest, 1, 0x1p-11);
    }
    EXPECT_EQ(choose_exponent(0), 0);
    EXPECT_TRUE(fits(factor_max, choose_exponent(factor_max)));
    EXPECT_FALSE(fits(factor_max * 1.01, choose_exponent(factor_max * 1.01)));
}

TEST(Group, fits_refuses_exactly_what_rounds_to_infinity) {
    EXPECT_TRUE(fits(65519.9, 0));
    EXPECT_FALSE(fits(65520.0, 0));
    EXPECT_FALSE(fits(65519.9999999, 0));  // 65520 once it is an f32
    EXPECT_FALSE(fits(std::numeric_limits<double>::infinity(), 110));
    EXPECT_FALSE(fits(std::nan(""), 0));
    EXPECT_TRUE(fits(0, -126));
    EXPECT_TRUE(std::isfinite(decode_factor(encode_factor(65519.9, 0), 110)));
}

TEST(Group, exponents_of_a_damaged_page_are_seen_and_stay_harmless) {
    EXPECT_TRUE(valid({0, 0}));
    EXPECT_TRUE(valid({exponent_min, exponent_max}));
    EXPECT_FALSE(valid({127, 0}));
    EXPECT_FALSE(valid({0, -128}));
    for (int e = -128; e < 128; ++e) {
        const float unit = unit_of(static_cast<int8_t>(e));
        EXPECT_TRUE(std::isnormal(unit)) << e;
        EXPECT_TRUE(std::isfinite(unit * 65504.0f)) << e;
    }
}

TEST(Group, store_factors_keeps_half_precision_and_empties_the_other_lanes) {
    Random random(505);
    constexpr size_t dim = 64;
    for (double scale : {1e-16, 1.0, 1e15}) {
        Image image(group_bytes(dim));
        clear_group(image, dim);
        std::vector<double> adds, scales;
        for (int i = 0; i < 21; ++i) {
            adds.push_back((random.unit() * 2 - 1) * scale * scale);
            scales.push_back(random.unit() * scale);
        }
        store_factors(image, dim, adds, scales);
        const Exponents exponents = load_exponents(image, dim);
        EXPECT_TRUE(valid(exponents));
        for (size_t lane = 0; lane < group_lanes; ++lane) {
            const auto add = load<uint16_t>(image.data() + add_offset(dim, lane));
            const auto s = load<uint16_t>(image.data() + scale_offset(dim, lane));
            if (lane >= adds.size()) {
                EXPECT_EQ(add, empty_add);
                EXPECT_EQ(s, 0);
                continue;
            }
            EXPECT_NEAR(decode_factor(add, exponents.add), adds[lane],
                        std::fabs(adds[lane]) / 2048);
            EXPECT_NEAR(decode_factor(s, exponents.scale), scales[lane], scales[lane] / 2048);
        }
    }
}

TEST(Group, an_empty_lane_passes_no_filter) {
    constexpr size_t dim = 64;
    Image image(group_bytes(dim));
    clear_group(image, dim);
    std::vector<uint8_t> table(lookup_bytes(dim), 127);
    uint32_t acc[32] = {};
    accumulate(image.data(), table.data(), group_rows(dim), acc);
    FilterInput input{};
    input.table = {1, -3};
    input.list = {-1e30f, 5};
    input.epsilon_kappa = 1;
    input.exponents = load_exponents(image, dim);
    input.threshold = std::numeric_limits<float>::infinity();
    uint16_t add[32], s[32];
    std::memcpy(add, image.data() + add_offset(dim), sizeof add);
    std::memcpy(s, image.data() + scale_offset(dim), sizeof s);
    float lower[32], estimate[32];
    for (Metric metric : {Metric::l2, Metric::inner_product}) {
        input.metric = metric;
        const auto args = filter_args(input);
        EXPECT_EQ(simd::kernels().filter(acc, add, s, &args, lower, estimate), 0u);
    }
}

}  // namespace
}  // namespace pagoda::rabitq

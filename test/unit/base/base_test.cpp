// Rounding, unaligned access, random numbers and results.
#include <set>

#include <gtest/gtest.h>

#include "core/base/bits.h"
#include "core/base/random.h"
#include "core/base/result.h"
#include "core/base/tid.h"

namespace pagoda::test {
namespace {

TEST(Bits, rounding_goes_up_to_multiples_and_leaves_them_alone) {
    for (size_t value = 0; value < 200; value++) {
        for (const size_t multiple : {1, 3, 16, 64}) {
            const size_t rounded = round_up(value, multiple);
            EXPECT_EQ(rounded % multiple, 0u);
            EXPECT_GE(rounded, value);
            EXPECT_LT(rounded, value + multiple);
            EXPECT_EQ(divide_up(value, multiple) * multiple, rounded);
        }
    }
}

TEST(Bits, load_and_store_work_at_every_alignment_in_little_endian_order) {
    std::byte bytes[24];
    for (size_t at = 0; at < 16; at++) {
        std::fill(std::begin(bytes), std::end(bytes), std::byte{0xEE});
        store<uint64_t>(bytes + at, 0x0102030405060708);
        EXPECT_EQ(load<uint64_t>(bytes + at), 0x0102030405060708u);
        EXPECT_EQ(bytes[at], std::byte{8});
        EXPECT_EQ(bytes[at + 7], std::byte{1});
        EXPECT_EQ(bytes[at + 8], std::byte{0xEE});
    }
}

TEST(Tid, takes_six_bytes_on_a_page_and_orders_like_the_table) {
    std::byte bytes[8] = {};
    store_tid(bytes + 1, {0x01020304, 0x0506});
    EXPECT_EQ(load_tid(bytes + 1), (Tid{0x01020304, 0x0506}));
    EXPECT_EQ(bytes[0], std::byte{0});
    EXPECT_EQ(bytes[7], std::byte{0});
    EXPECT_LT((Tid{1, 65535}.key()), (Tid{2, 1}.key()));
    EXPECT_LT((Tid{UINT32_MAX, 1}.key()), (Tid{UINT32_MAX, 2}.key()));
    EXPECT_FALSE(Tid{}.valid());
    EXPECT_FALSE((Tid{7, 0}).valid());
    EXPECT_TRUE((Tid{0, 1}).valid());
}

TEST(Random, the_stream_of_a_seed_is_fixed) {
    // First values of SplitMix64, as its authors publish them for seed 1234567.
    Random random(1234567);
    EXPECT_EQ(random.next(), 6457827717110365317u);
    EXPECT_EQ(random.next(), 3203168211198807973u);
    EXPECT_EQ(random.next(), 9817491932198370423u);
    EXPECT_EQ(random.next(), 4593380528125082431u);
    EXPECT_EQ(random.next(), 16408922859458223821u);
}

TEST(Random, below_stays_below_and_reaches_every_value) {
    Random random(7);
    std::set<uint64_t> seen;
    for (int i = 0; i < 1000; i++) {
        const uint64_t value = random.below(10);
        ASSERT_LT(value, 10u);
        seen.insert(value);
    }
    EXPECT_EQ(seen.size(), 10u);
    for (int i = 0; i < 100; i++) {
        EXPECT_EQ(random.below(1), 0u);
        EXPECT_LT(random.below(UINT64_MAX), UINT64_MAX);
    }
}

TEST(Random, unit_is_spread_evenly_over_zero_to_one) {
    Random random(8);
    int counts[10] = {};
    for (int i = 0; i < 10000; i++) {
        const double value = random.unit();
        ASSERT_GE(value, 0.0);
        ASSERT_LT(value, 1.0);
        counts[static_cast<int>(value * 10)]++;
    }
    // Five standard deviations of 30.
    for (const int count : counts) EXPECT_NEAR(count, 1000, 150);
}

TEST(Result, holds_a_value_or_an_error) {
    const Result<int> good(5);
    ASSERT_TRUE(good.ok());
    EXPECT_EQ(good.value(), 5);
    const Result<int> bad(Error{ErrorCode::out_of_range, 17, "less"});
    ASSERT_FALSE(bad.ok());
    EXPECT_EQ(bad.error().code, ErrorCode::out_of_range);
    EXPECT_EQ(bad.error().block, 17u);
    EXPECT_STREQ(bad.error().expected, "less");
    EXPECT_TRUE(Status().ok());
    EXPECT_FALSE(Status(Error{ErrorCode::no_space, no_block, ""}));
}

#ifdef PAGODA_CHECKS
TEST(ResultDeathTest, asking_for_what_it_does_not_hold_ends_the_program) {
    const Result<int> good(5);
    const Result<int> bad(Error{ErrorCode::out_of_range, 17, "less"});
    EXPECT_DEATH((void)bad.value(), "check failed");
    EXPECT_DEATH((void)good.error(), "check failed");
    EXPECT_DEATH((void)Status().error(), "check failed");
    EXPECT_DEATH((void)Result<int>(Error{}), "check failed");
}
#endif

TEST(CheckDeathTest, a_failed_check_names_its_place_and_condition) {
    const int answer = 41;
    EXPECT_DEATH(check_always(answer == 42), "base_test.cpp:[0-9]+: check failed: answer == 42");
}

}  // namespace
}  // namespace pagoda::test

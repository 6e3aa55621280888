// An arena hands out aligned, zeroed, disjoint memory and says by an empty span when there is none.
#include "core/base/arena.h"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "core/base/arena_meter.h"

namespace pagoda::test {
namespace {

TEST(Arena, allocations_are_aligned_zeroed_and_disjoint) {
    std::vector<std::byte> memory(2000, std::byte{0xEE});
    for (size_t shift = 0; shift < 70; shift++) {
        Arena arena{std::span(memory).subspan(shift)};
        std::fill(memory.begin(), memory.end(), std::byte{0xEE});
        const auto first = arena.allocate<uint64_t>(3);
        const auto second = arena.allocate<std::byte>(65);
        const auto third = arena.allocate<float>(10);
        ASSERT_EQ(first.size(), 3u);
        ASSERT_EQ(second.size(), 65u);
        ASSERT_EQ(third.size(), 10u);
        for (const void* start :
             {static_cast<const void*>(first.data()), static_cast<const void*>(second.data()),
              static_cast<const void*>(third.data())}) {
            EXPECT_EQ(reinterpret_cast<uintptr_t>(start) % Arena::alignment, 0u);
        }
        EXPECT_GE(reinterpret_cast<std::byte*>(second.data()),
                  reinterpret_cast<std::byte*>(first.data() + 3));
        EXPECT_GE(reinterpret_cast<std::byte*>(third.data()), second.data() + 65);
        for (const uint64_t value : first) EXPECT_EQ(value, 0u);
        for (const std::byte value : second) EXPECT_EQ(value, std::byte{0});
        for (const float value : third) EXPECT_EQ(value, 0.0f);
    }
}

TEST(Arena, gives_an_empty_span_when_space_is_short_and_stays_usable) {
    alignas(64) std::byte memory[128];
    Arena arena(memory);
    EXPECT_TRUE(arena.allocate<std::byte>(129).empty());
    EXPECT_EQ(arena.used(), 0u);
    EXPECT_EQ(arena.allocate<std::byte>(100).size(), 100u);
    // 28 bytes are left, all of them padding.
    EXPECT_TRUE(arena.allocate<std::byte>(1).empty());
    EXPECT_EQ(arena.used(), 100u);
    EXPECT_EQ(arena.remaining(), 28u);
    arena.reset();
    EXPECT_EQ(arena.allocate<std::byte>(128).size(), 128u);
}

TEST(Arena, sizes_that_overflow_are_refused) {
    alignas(64) std::byte memory[128];
    Arena arena(memory);
    volatile size_t huge = SIZE_MAX;  // unknown to the compiler, which would warn
    EXPECT_TRUE(arena.allocate<uint64_t>(huge / 8 + 2).empty());
    EXPECT_TRUE(arena.allocate<uint64_t>(huge).empty());
    EXPECT_TRUE(arena.allocate<std::byte>(huge).empty());
    EXPECT_TRUE(arena.allocate<std::byte>(0).empty());
    EXPECT_EQ(arena.used(), 0u);
}

TEST(Arena, the_metered_size_is_always_enough) {
    std::vector<std::byte> memory(4000);
    const auto lay_out = [](auto& source) {
        source.template allocate<uint64_t>(7);
        source.template allocate<std::byte>(1);
        source.template allocate<float>(0);
        source.template allocate<uint16_t>(333);
        return source.template allocate<double>(20);
    };
    ArenaMeter meter;
    lay_out(meter);
    for (size_t shift = 0; shift < 64; shift++) {
        Arena arena{std::span(memory).subspan(shift, meter.bytes())};
        EXPECT_EQ(lay_out(arena).size(), 20u) << shift;
    }
}

}  // namespace
}  // namespace pagoda::test

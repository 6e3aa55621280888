// Arrays in memory of the host grow, keep their elements and give back what they took.
#include "core/base/memory.h"

#include <gtest/gtest.h>

#include "test/support/memory.h"

namespace pagoda::test {
namespace {

TEST(GrowArray, keeps_every_pushed_element_in_order) {
    TestMemory host;
    GrowArray<uint64_t> array(host.memory());
    EXPECT_TRUE(array.empty());
    for (uint64_t i = 0; i < 1000; i++) {
        array.push(i * i);
        ASSERT_EQ(array.size(), i + 1);
        ASSERT_EQ(array[i], i * i);
    }
    for (uint64_t i = 0; i < 1000; i++) ASSERT_EQ(array.span()[i], i * i);
    array.pop();
    EXPECT_EQ(array.size(), 999u);
    EXPECT_EQ(host.outstanding_count(), 1u);
}

TEST(GrowArray, can_push_its_own_element_while_it_grows) {
    TestMemory host;
    GrowArray<uint64_t> array(host.memory());
    array.push(41);
    for (size_t i = 1; i <= 200; i++) array.push(array[0]);
    for (const uint64_t value : array.span()) EXPECT_EQ(value, 41u);
}

TEST(GrowArray, doubles_so_that_pushing_allocates_rarely) {
    TestMemory host;
    GrowArray<uint32_t> array(host.memory());
    for (uint32_t i = 0; i < 100000; i++) array.push(i);
    EXPECT_LE(host.allocation_count(), 12u);
    EXPECT_LE(host.outstanding_bytes(), 2 * 100000 * sizeof(uint32_t));
}

TEST(GrowArray, clear_keeps_memory_and_release_returns_it) {
    TestMemory host;
    GrowArray<uint16_t> array(host.memory());
    array.reserve(500);
    const auto allocations = host.allocation_count();
    for (int round = 0; round < 3; round++) {
        array.clear();
        for (uint16_t i = 0; i < 500; i++) array.push(i);
    }
    EXPECT_EQ(host.allocation_count(), allocations);
    array.release();
    EXPECT_EQ(host.outstanding_bytes(), 0u);
    array.push(3);
    EXPECT_EQ(array[0], 3);
}

TEST(GrowArray, loses_nothing_when_an_allocation_fails) {
    TestMemory host;
    GrowArray<uint64_t> array(host.memory());
    host.fail_at_allocation(3);
    uint64_t pushed = 0;
    EXPECT_THROW(
        while (true) {
            array.push(pushed);
            pushed++;
        },
        InjectedFailure);
    ASSERT_EQ(array.size(), pushed);
    for (uint64_t i = 0; i < pushed; i++) EXPECT_EQ(array[i], i);
    array.push(pushed);
    EXPECT_EQ(array[pushed], pushed);
}

TEST(Memory, arrays_are_zeroed_and_given_back) {
    TestMemory host;
    const Memory memory = host.memory();
    const auto array = memory.zeroed_array<uint32_t>(100);
    for (const uint32_t value : array) EXPECT_EQ(value, 0u);
    EXPECT_EQ(host.outstanding_bytes(), 400u);
    memory.free_array(array);
    EXPECT_EQ(host.outstanding_bytes(), 0u);
    EXPECT_EQ(host.peak_bytes(), 400u);
    EXPECT_TRUE(memory.zeroed_array<uint32_t>(0).empty());
    EXPECT_EQ(host.allocation_count(), 1u);
}

TEST(Memory, the_host_frees_what_is_left_at_its_end) {
    // The leak check of the sanitizer would tell if it did not.
    TestMemory host;
    host.memory().zeroed_array<uint64_t>(10);
    host.release_all();
    EXPECT_EQ(host.outstanding_count(), 0u);
    host.memory().zeroed_array<uint64_t>(10);
}

TEST(MemoryDeathTest, sizes_that_overflow_end_the_program) {
    TestMemory host;
    GrowArray<uint64_t> array(host.memory());
    EXPECT_DEATH(array.reserve(SIZE_MAX / 8), "check failed");
    EXPECT_DEATH((void)host.memory().zeroed_array<uint64_t>(SIZE_MAX / 4), "check failed");
}

TEST(MemoryDeathTest, the_host_refuses_pointers_that_it_does_not_know) {
    TestMemory host;
    const Memory memory = host.memory();
    const auto array = memory.zeroed_array<uint32_t>(8);
    EXPECT_DEATH(memory.release(memory.context, array.data() + 1), "check failed");
    memory.free_array(array);
    EXPECT_DEATH(memory.free_array(array), "check failed");
}

}  // namespace
}  // namespace pagoda::test

// The tests' host of core/base/memory.h. Like a memory context it frees at its end whatever core
// did not give back. It counts, can fail at the n-th allocation, hands out memory that is aligned
// to 8 bytes only and filled with rubbish, and ends the program when a pointer is released that it
// does not know.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <unordered_map>

#include "core/base/memory.h"
#include "test/support/memory_store.h"

namespace pagoda::test {

class TestMemory {
  public:
    TestMemory() = default;
    ~TestMemory() { release_all(); }
    TestMemory(const TestMemory&) = delete;
    TestMemory& operator=(const TestMemory&) = delete;

    Memory memory() { return {&allocate, &release, this}; }

    // The `nth` allocation from now on, counted from 1, throws InjectedFailure. Fires once.
    void fail_at_allocation(uint64_t nth) { fail_in_ = nth; }

    // What the end of a memory context does.
    void release_all() {
        for (const auto& [pointer, bytes] : allocated_) std::free(block_of(pointer));
        allocated_.clear();
        bytes_ = 0;
    }

    size_t outstanding_bytes() const { return bytes_; }
    size_t outstanding_count() const { return allocated_.size(); }
    size_t peak_bytes() const { return peak_bytes_; }
    uint64_t allocation_count() const { return allocation_count_; }
    void reset_peak() { peak_bytes_ = bytes_; }

  private:
    // malloc aligns to 16; the server's allocator promises 8. So users get the odd multiple of 8.
    static constexpr size_t misalignment = 8;

    static void* block_of(void* pointer) { return static_cast<char*>(pointer) - misalignment; }

    static void* allocate(void* context, size_t bytes) {
        auto& self = *static_cast<TestMemory*>(context);
        check_always(bytes > 0);
        self.allocation_count_++;
        if (self.fail_in_ > 0 && --self.fail_in_ == 0) throw InjectedFailure();
        void* block = std::malloc(bytes + misalignment);
        check_always(block != nullptr);
        void* pointer = static_cast<char*>(block) + misalignment;
        std::memset(pointer, 0x7F, bytes);
        self.allocated_.emplace(pointer, bytes);
        self.bytes_ += bytes;
        if (self.bytes_ > self.peak_bytes_) self.peak_bytes_ = self.bytes_;
        return pointer;
    }

    static void release(void* context, void* pointer) {
        auto& self = *static_cast<TestMemory*>(context);
        const auto found = self.allocated_.find(pointer);
        check_always(found != self.allocated_.end());
        self.bytes_ -= found->second;
        self.allocated_.erase(found);
        std::free(block_of(pointer));
    }

    std::unordered_map<void*, size_t> allocated_;
    size_t bytes_ = 0;
    size_t peak_bytes_ = 0;
    uint64_t allocation_count_ = 0;
    uint64_t fail_in_ = 0;
};

}  // namespace pagoda::test

// Memory of the host, for sizes that are known only while running. The host frees everything that
// is left when its context ends (a scan, a build, a statement), so owners here have no destructor
// and the server may leave by longjmp while they are alive.
//
// allocate() never returns null: when memory is out the server leaves by longjmp and the test host
// throws. The memory is aligned to 8 bytes, no more, and not zeroed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

#include "core/base/check.h"

namespace pagoda {

struct Memory {
    void* (*allocate)(void* context, size_t bytes);
    void (*release)(void* context, void* pointer);
    void* context;

    // `count` elements, all bytes zero; an empty span for none.
    template <class T>
    std::span<T> zeroed_array(size_t count) const {
        static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 8);
        check_always(count <= PTRDIFF_MAX / sizeof(T));
        if (count == 0) return {};
        void* start = allocate(context, count * sizeof(T));
        std::memset(start, 0, count * sizeof(T));
        return {static_cast<T*>(start), count};
    }

    // Gives an array of zeroed_array() back before the context ends.
    template <class T>
    void free_array(std::span<T> array) const {
        if (!array.empty()) release(context, array.data());
    }
};

// A growing array in memory of the host. Copies of it share the elements until one of them grows;
// spans and references last until the next push() or reserve().
template <class T>
class GrowArray {
    static_assert(std::is_trivially_copyable_v<T> && alignof(T) <= 8);

  public:
    explicit GrowArray(Memory memory) : memory_(memory) {}

    void push(const T& value) {
        const T copy = value;  // `value` may be an element of this array
        if (count_ == capacity_) reserve(count_ + 1);
        elements_[count_++] = copy;
    }

    // Makes room for `count` elements in all, at least doubling when it must grow.
    void reserve(size_t count) {
        if (count <= capacity_) return;
        check_always(count <= PTRDIFF_MAX / sizeof(T) / 2);
        const size_t doubled = capacity_ == 0 ? first_capacity : capacity_ * 2;
        const size_t capacity = count > doubled ? count : doubled;
        auto* elements = static_cast<T*>(memory_.allocate(memory_.context, capacity * sizeof(T)));
        if (count_ > 0) std::memcpy(elements, elements_, count_ * sizeof(T));
        if (elements_ != nullptr) memory_.release(memory_.context, elements_);
        elements_ = elements;
        capacity_ = capacity;
    }

    void pop() {
        check(count_ > 0);
        count_--;
    }
    // Keeps the first `count` elements.
    void truncate(size_t count) {
        check(count <= count_);
        count_ = count;
    }
    // Forgets the elements and keeps the memory.
    void clear() { count_ = 0; }
    // Gives the memory back; the array is empty and may be used again.
    void release() {
        if (elements_ != nullptr) memory_.release(memory_.context, elements_);
        elements_ = nullptr;
        count_ = capacity_ = 0;
    }

    T& operator[](size_t index) {
        check(index < count_);
        return elements_[index];
    }
    const T& operator[](size_t index) const {
        check(index < count_);
        return elements_[index];
    }
    size_t size() const { return count_; }
    bool empty() const { return count_ == 0; }
    std::span<T> span() { return {elements_, count_}; }
    std::span<const T> span() const { return {elements_, count_}; }

    static constexpr size_t first_capacity = sizeof(T) >= 64 ? 4 : 256 / sizeof(T);

  private:
    Memory memory_;
    T* elements_ = nullptr;
    size_t count_ = 0;
    size_t capacity_ = 0;
};

static_assert(std::is_trivially_destructible_v<GrowArray<uint64_t>>);

}  // namespace pagoda

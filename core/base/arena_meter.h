// Stands in for an Arena to learn how many bytes a set of allocations needs: a function that lays
// out a workspace is a template over its source, so that the size it announces and the memory it
// takes cannot differ.
#pragma once

#include <cstddef>
#include <span>

#include "core/base/arena.h"

namespace pagoda {

class ArenaMeter {
  public:
    // Counts the bytes an Arena may need for `count` elements of T; the span is always empty.
    template <class T>
    std::span<T> allocate(size_t count) {
        if (count > 0) bytes_ += Arena::bytes_for<T>(count);
        return {};
    }

    size_t bytes() const { return bytes_; }

  private:
    size_t bytes_ = 0;
};

}  // namespace pagoda

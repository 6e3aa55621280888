// Cancellation points of long computations. Work is counted in multiply-adds, so the distance
// between two calls of poll is a property of the algorithm and not of a clock: at most
// 2 x work_per_poll, which is about 17 ms on a scalar core of 1 G multiply-adds/s and 1 ms with
// AVX2.
//
// poll may throw or longjmp. All callers hold only trivially destructible data.
#pragma once

#include <cstdint>

#include "core/base/check.h"

namespace pagoda::cluster {

struct Progress {
    void (*poll)(void* context) = nullptr;  // nullptr: never called
    void* context = nullptr;
};

// Most multiply-adds that are done in one piece, and the amount after which poll is due.
inline constexpr uint64_t work_per_poll = uint64_t{1} << 23;

// Counts work and calls poll when it is due.
class Pace {
  public:
    explicit Pace(Progress progress) : progress_(progress) {}

    // Says that `work` multiply-adds (or moves of a float) were done; at most work_per_poll a call.
    void spend(uint64_t work) {
        check(work <= work_per_poll);
        spent_ += work;
        if (spent_ < work_per_poll) return;
        spent_ = 0;
        if (progress_.poll != nullptr) progress_.poll(progress_.context);
    }

  private:
    Progress progress_;
    uint64_t spent_ = 0;
};

}  // namespace pagoda::cluster

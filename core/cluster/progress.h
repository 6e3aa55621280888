// Cancellation points of long computations. Work is counted in multiply-adds, so the distance
// between two calls of poll is a property of the algorithm and not of a clock. A matrix product has
// at most product_work of them (up to 10,922 dimensions; 1.5 times as many up to 16,384), and poll
// is due after half as many: at most 6.3 million lie between two calls, 11 ms with scalar kernels
// and under 1 ms with AVX2.
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

inline constexpr uint64_t product_work = uint64_t{1} << 22;

// Counts work and calls poll when it is due.
class Pace {
  public:
    explicit Pace(Progress progress) : progress_(progress) {}

    // Says that `work` multiply-adds were done; a float that is only moved counts as one.
    void spend(uint64_t work) {
        check(work <= 2 * product_work);
        spent_ += work;
        if (spent_ < product_work / 2) return;
        spent_ = 0;
        if (progress_.poll != nullptr) progress_.poll(progress_.context);
    }

  private:
    Progress progress_;
    uint64_t spent_ = 0;
};

}  // namespace pagoda::cluster

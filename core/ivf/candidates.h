// The two priority queues of a search: rows with a lower bound, and rows with a refined estimate.
// Both are binary heaps in host memory, smallest key first. Keys are never NaN (see orderable), so
// that they have a total order.
#pragma once

#include <algorithm>
#include <cfloat>
#include <limits>

#include "core/base/memory.h"
#include "core/base/tid.h"
#include "core/ivf/format.h"

namespace pagoda::ivf {

// Any estimate as a key: values that overflowed, or are not numbers, come after all others.
inline float orderable(float estimate) {
    return estimate < FLT_MAX ? estimate : FLT_MAX;
}

struct Candidate {
    float key;  // lower bound; the estimate itself when there is nothing to refine by
    Tid tid;
    Position record;  // of the level-1 code; block no_block = none
};

struct RefinedRow {
    float key;
    Tid tid;
};

template <class T>
struct LaterKey {
    bool operator()(const T& a, const T& b) const { return a.key > b.key; }
};

// Collects candidates, then gives them out in order. With a limit it keeps at least `limit` of the
// smallest and says below which key a further candidate is of use.
class CandidateBuffer {
  public:
    explicit CandidateBuffer(Memory memory) : rows_(memory) {}

    // Begins collecting; limit 0 keeps everything.
    void start(size_t limit) {
        rows_.clear();
        collected_ = 0;
        limit_ = limit;
        threshold_ = std::numeric_limits<float>::infinity();
        dropped_ = false;
    }

    // Infinite until something had to be dropped.
    float threshold() const { return threshold_; }

    void push(const Candidate& candidate) {
        rows_.push(candidate);
        if (limit_ > 0 && rows_.size() == 2 * limit_) cut();
    }

    // Ends collecting; returns whether candidates were dropped.
    bool finish() {
        std::make_heap(begin(), end(), LaterKey<Candidate>());
        collected_ = rows_.size();
        return dropped_;
    }

    // Everything that finish() found, in no order, popped or not. Valid until start().
    std::span<const Candidate> collected() const { return {rows_.span().data(), collected_}; }

    bool empty() const { return rows_.empty(); }
    const Candidate& top() const { return rows_[0]; }
    Candidate pop() {
        std::pop_heap(begin(), end(), LaterKey<Candidate>());
        const Candidate least = rows_[rows_.size() - 1];
        rows_.pop();
        return least;
    }
    void clear() { start(0); }

  private:
    Candidate* begin() { return rows_.span().data(); }
    Candidate* end() { return begin() + rows_.size(); }

    void cut() {
        std::nth_element(begin(), begin() + limit_, end(),
                         [](const Candidate& a, const Candidate& b) { return a.key < b.key; });
        threshold_ = rows_[limit_].key;
        rows_.truncate(limit_);
        dropped_ = true;
    }

    GrowArray<Candidate> rows_;
    size_t limit_ = 0;
    float threshold_ = std::numeric_limits<float>::infinity();
    bool dropped_ = false;
    size_t collected_ = 0;
};

class RefinedHeap {
  public:
    explicit RefinedHeap(Memory memory) : rows_(memory) {}

    void push(const RefinedRow& row) {
        rows_.push(row);
        std::push_heap(begin(), end(), LaterKey<RefinedRow>());
    }
    bool empty() const { return rows_.empty(); }
    const RefinedRow& top() const { return rows_[0]; }
    RefinedRow pop() {
        std::pop_heap(begin(), end(), LaterKey<RefinedRow>());
        const RefinedRow least = rows_[rows_.size() - 1];
        rows_.pop();
        return least;
    }
    void clear() { rows_.clear(); }

  private:
    RefinedRow* begin() { return rows_.span().data(); }
    RefinedRow* end() { return begin() + rows_.size(); }

    GrowArray<RefinedRow> rows_;
};

}  // namespace pagoda::ivf

// Learning the number of probes: the finished index answers the held-out rows with growing numbers
// of probes, until the recall of their exact neighbours (found by the build's second scan) is
// reached with a margin. What was measured is stored in the meta page by one edit.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/ivf/build.h"
#include "core/ivf/search.h"

namespace pagoda::ivf {

// The default target, and what the held-out rows must reach for it: a margin of two standard errors
// of 256 held-out rows, and for queries that are not rows of the table.
inline constexpr float default_target_recall = 0.95f;
inline constexpr float learnt_recall = 0.965f;
// When twice the probes gain less than this, what is missing is not due to probes.
inline constexpr float least_gain = 0.004f;

template <PageStore S>
class Learner {
  public:
    Learner(S& store, Builder& builder)
        : store_(&store), builder_(&builder), search_(store, builder.memory()) {}

    void run() {
        search_.load_index();
        lists_ = search_.meta().list_count - 1;
        publish(builder_->held_out().count() == 0 ? 0 : smallest_probes());
    }

  private:
    // Doubles the probes until they are enough, then halves the interval (on a logarithmic scale)
    // until the answer is known to about a fifth.
    uint32_t smallest_probes() {
        uint32_t low = 0, high = 1;  // low is not enough
        for (float previous = -1;; low = high, high *= 2) {
            if (high >= lists_) {
                high = lists_;
                break;
            }
            const float recall = measure_and_keep(high);
            if (recall >= learnt_recall) break;
            if (recall - previous < least_gain) return high;
            previous = recall;
        }
        while (low > 0 && high > low + std::max(1u, low / 5)) {
            const auto middle = static_cast<uint32_t>(std::sqrt(double{1} * low * high));
            const uint32_t probes = std::clamp(middle, low + 1, high - 1);
            (measure_and_keep(probes) >= learnt_recall ? high : low) = probes;
        }
        return high;
    }

    // Measured points are kept in order of probes.
    float measure_and_keep(uint32_t probes) {
        const float recall = measure(probes);
        if (count_ == learnt_points_max) return recall;
        uint32_t at = count_++;
        for (; at > 0 && points_[at - 1].probes > probes; at--) points_[at] = points_[at - 1];
        points_[at] = {probes, recall};
        return recall;
    }

    float measure(uint32_t probes) {
        HeldOut& held_out = builder_->held_out();
        uint64_t found = 0, wanted = 0;
        for (uint32_t i = 0; i < held_out.count(); i++) {
            store_->poll();
            const auto exact = held_out.nearest(i);
            search_.start(held_out.vector(i), {static_cast<int32_t>(probes), -1});
            Tid tid;
            for (size_t returned = 0; returned < exact.size() && search_.next(&tid);) {
                if (tid == held_out.tid(i)) continue;
                found += std::find(exact.begin(), exact.end(), tid) != exact.end();
                returned++;
            }
            wanted += exact.size();
        }
        return wanted == 0 ? 1.0f : static_cast<float>(found) / static_cast<float>(wanted);
    }

    void publish(uint32_t probes) {
        std::byte script[sizeof(points_) + 64];
        PageEdit edit(script, EditKind::meta);
        auto guard = store_->lock(meta_block);
        edit.page(guard);
        edit.write_value(content_begin + offsetof(MetaPage, learnt_probes), probes);
        edit.write_value(content_begin + offsetof(MetaPage, learnt_count), count_);
        edit.write(content_begin + offsetof(MetaPage, learnt), std::as_bytes(std::span(points_)));
        store_->commit(edit);
    }

    S* store_;
    Builder* builder_;
    Search<S> search_;
    uint32_t lists_ = 1;
    LearntPoint points_[learnt_points_max] = {};
    uint32_t count_ = 0;
};

template <PageStore S>
void learn(S& store, Builder& builder) {
    Learner<S>(store, builder).run();
}

}  // namespace pagoda::ivf

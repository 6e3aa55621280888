// Learning the number of probes: the finished index answers the held-out rows with growing numbers
// of probes, until the recall of their exact neighbours (found by the build's second scan) is
// reached with a margin. What was measured is stored in the meta page by one edit.
#pragma once

#include <algorithm>

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
        const uint32_t lists = search_.meta().list_count - 1;
        uint32_t chosen = lists;
        if (builder_->held_out().count() == 0) chosen = 0;
        for (uint32_t probes = 1; chosen == lists && probes < lists; probes = next(probes)) {
            const float recall = measure(probes);
            if (recall >= learnt_recall || recall - recall_at(probes / 2) < least_gain) {
                chosen = probes;
            }
            add_point(probes, recall);
        }
        publish(chosen);
    }

  private:
    // Steps of about a fifth.
    static uint32_t next(uint32_t probes) { return probes + std::max(1u, probes / 5); }

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

    // What the most probes up to this number reached; -1 for none.
    float recall_at(uint32_t probes) const {
        float recall = -1;
        for (uint32_t i = 0; i < count_ && points_[i].probes <= probes; i++) {
            recall = points_[i].recall;
        }
        return recall;
    }

    void add_point(uint32_t probes, float recall) {
        if (count_ < learnt_points_max) points_[count_++] = {probes, recall};
    }

    void publish(uint32_t probes) {
        std::byte script[sizeof(points_) + 64];
        PageEdit edit(script);
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
    LearntPoint points_[learnt_points_max] = {};
    uint32_t count_ = 0;
};

template <PageStore S>
void learn(S& store, Builder& builder) {
    Learner<S>(store, builder).run();
}

}  // namespace pagoda::ivf

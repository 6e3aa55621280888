// Ordered search. next() returns rows nearest first by estimate, lazily, until every row has been
// returned once:
//   1. the lists nearest to the query are scanned (probes of them); a bounded buffer keeps the rows
//      with the smallest lower bounds;
//   2. the smallest bound is refined by its level-1 code until the best refined row is no farther
//   than
//      the next bound, then that row is returned;
//   3. when the buffer is used up, what it had dropped is scanned again, then further lists in
//      growing chunks, then the outlier list. Within a chunk rows come in order of their estimates;
//      a later chunk may hold a nearer row.
// Trivially destructible: all memory is the host's. Pages are locked one at a time.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/ivf/candidates.h"
#include "core/ivf/directory.h"
#include "core/ivf/list_scan.h"
#include "core/ivf/query.h"
#include "core/ivf/ranking.h"

namespace pagoda::ivf {

struct ScanOptions {
    int32_t probes = -1;  // lists scanned first; -1: what the build learnt
    float epsilon = -1;   // bound width in standard deviations; -1: what the build learnt
};

struct SearchCounters {
    uint64_t lists = 0;    // scanned, repeated scans included
    uint64_t codes = 0;    // level-0 codes compared
    uint64_t refined = 0;  // level-1 codes evaluated
};

template <PageStore S>
class Search {
  public:
    Search(S& store, Memory memory)
        : store_(&store),
          memory_(memory),
          ranked_(memory),
          candidates_(memory),
          refined_(memory),
          excluded_(memory),
          visited_(memory),
          order_(memory),
          entries_(memory) {}

    // Begins a search for q (dim floats, checked by the caller against dim()), or for NULL (empty).
    void start(std::span<const float> q, const ScanOptions& options) {
        load_index();
        prepare_query(codec_, q, memory_, query_);
        epsilon_ = options.epsilon >= 0 ? options.epsilon : meta_.learnt_epsilon;
        if (meta_.refine_bits == 0) epsilon_ = 0;
        const uint32_t learnt = meta_.learnt_probes > 0 ? meta_.learnt_probes : meta_.list_count;
        const uint32_t lists = meta_.list_count - 1;
        probes_ = std::clamp<uint32_t>(options.probes > 0 ? options.probes : learnt, 1, lists);
        ranked_.clear();
        candidates_.clear();
        refined_.clear();
        excluded_.clear();
        stage_ = Stage::first;
        all_ranked_ = false;
        chunk_begin_ = chunk_end_ = 0;
        counters_ = {};
    }

    // The next row, or false when all rows have been returned.
    bool next(Tid* out) {
        for (;;) {
            if (!refined_.empty() &&
                (candidates_.empty() || refined_.top().key <= candidates_.top().key)) {
                *out = refined_.pop().tid;
                return true;
            }
            if (!candidates_.empty()) {
                refine_next();
            } else if (stage_ == Stage::done) {
                return false;
            } else {
                load_chunk();
            }
        }
    }

    const MetaPage& meta() const { return meta_; }
    const SearchCounters& counters() const { return counters_; }
    // Loads the meta page and the mean if they are not yet; start() does it too.
    void load_index() {
        if (loaded_) return;
        meta_ = read_meta(*store_);
        auto mean = memory_.zeroed_array<float>(meta_.dim);
        Cursor<S> cursor(*store_, meta_.index_id, meta_.mean, 0);
        cursor.copy(std::as_writable_bytes(mean));
        cursor.release();
        codec_ = make_codec(meta_, mean, memory_);
        loaded_ = true;
    }

  private:
    enum class Stage : uint8_t { first, leftover, further, outliers, done };

    // Rows that the bounded buffer holds after a cut. Deep enough for the refinement of k = 100.
    static constexpr size_t buffer_rows = 1024;
    // Rows of the first chunk after the probed lists; doubles up to the second number.
    static constexpr uint32_t chunk_rows_first = 8192, chunk_rows_max = 131072;

    void load_chunk() {
        switch (stage_) {
            case Stage::first:
                rank_nearest(*store_, meta_, query_, probes_, memory_, ranked_);
                chunk_end_ = ranked_.size();
                scan_chunk(buffer_rows);
                stage_ = dropped_ ? Stage::leftover : Stage::further;
                return;
            case Stage::leftover:
                exclude_collected();
                scan_chunk(0);
                excluded_.clear();
                stage_ = Stage::further;
                return;
            case Stage::further:
                load_further_chunk();
                return;
            case Stage::outliers:
                scan_outliers(*store_, meta_, candidates_);
                stage_ = Stage::done;
                return;
            case Stage::done:
                return;
        }
    }

    void load_further_chunk() {
        if (chunk_end_ < meta_.list_count - 1 && !all_ranked_) {
            rank_rest(*store_, meta_, query_, visited_, ranked_);
            all_ranked_ = true;
            chunk_rows_ = chunk_rows_first;
        }
        if (chunk_end_ == ranked_.size()) {
            stage_ = Stage::outliers;
            return;
        }
        // Lists until the chunk has its rows; at least one.
        chunk_begin_ = chunk_end_;
        uint64_t rows = 0;
        while (chunk_end_ < ranked_.size() && rows < chunk_rows_) {
            store_->poll();
            rows += read_entry(*store_, meta_, ranked_[chunk_end_].list).used;
            chunk_end_++;
        }
        chunk_rows_ = std::min(chunk_rows_ * 2, chunk_rows_max);
        scan_chunk(0);
    }

    // Scans lists [chunk_begin_, chunk_end_) into candidates_; keeps `limit` rows (0: all).
    void scan_chunk(size_t limit) {
        candidates_.start(limit);
        ListScan<S> scan(*store_, meta_, query_, epsilon_, excluded_.span(), candidates_);
        const auto lists = ranked_.span().subspan(chunk_begin_, chunk_end_ - chunk_begin_);
        read_entries(*store_, meta_, lists, order_, entries_);
        for (size_t i = 0; i < lists.size(); i++) {
            store_->poll();
            scan.scan(lists[i], entries_[i]);
        }
        counters_.lists += chunk_end_ - chunk_begin_;
        counters_.codes += scan.codes();
        dropped_ = candidates_.finish();
    }

    // Rows that the buffer held, all returned by now.
    void exclude_collected() {
        for (const Candidate& candidate : candidates_.collected()) {
            excluded_.push(candidate.tid.key());
        }
        std::sort(excluded_.span().begin(), excluded_.span().end());
    }

    void refine_next() {
        const Candidate candidate = candidates_.pop();
        float estimate = candidate.key;  // of an outlier, or without refinement
        if (candidate.record.block != no_block) {
            estimate = fine_estimate(candidate.record);
            if (++counters_.refined % 256 == 0) store_->poll();
        }
        refined_.push({estimate, candidate.tid});
    }

    float fine_estimate(Position record) {
        const size_t code_bytes = size_t{meta_.padded_dim} * meta_.refine_bits / 8;
        Cursor<S> cursor(*store_, meta_.index_id, record);
        int64_t dot = 0;
        for (size_t done = 0; done < code_bytes;) {
            const auto piece = cursor.take(code_bytes - done);
            const auto* code = reinterpret_cast<const uint8_t*>(piece.data());
            dot += meta_.refine_bits == 8
                       ? simd::kernels().dot_u8_i16(code, query_.fine.data() + done, piece.size())
                       : simd::kernels().dot_u4_i16(code, query_.fine.data() + 2 * done,
                                                    2 * piece.size());
            done += piece.size();
        }
        std::byte buffer[2 * sizeof(float)];
        const std::byte* factors = cursor.whole(sizeof(buffer), buffer);
        const double ip = query_.fine_step * static_cast<double>(dot) + query_.fine_offset;
        return orderable(rabitq::level_estimate(query_.level, load<float>(factors),
                                                load<float>(factors + sizeof(float)), ip)
                             .value);
    }

    S* store_;
    Memory memory_;
    bool loaded_ = false;
    MetaPage meta_ = {};
    Codec codec_;
    Query query_;
    float epsilon_ = 0;
    uint32_t probes_ = 1;
    Stage stage_ = Stage::done;
    bool dropped_ = false;
    bool all_ranked_ = false;
    uint32_t chunk_rows_ = chunk_rows_first;
    size_t chunk_begin_ = 0, chunk_end_ = 0;
    GrowArray<RankedList> ranked_;
    CandidateBuffer candidates_;
    RefinedHeap refined_;
    GrowArray<uint64_t> excluded_;
    GrowArray<uint8_t> visited_;
    GrowArray<uint32_t> order_;
    GrowArray<ListEntry> entries_;
    SearchCounters counters_;
};

}  // namespace pagoda::ivf

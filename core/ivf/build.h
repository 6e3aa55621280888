// Building an index. The host scans the table twice and sorts in between:
//
//   1. sample_row() for every row, then train();
//   2. add_row() for every row, flush(): each row comes out at the sink as (list, record);
//   3. the host sorts the records by list; start_writing(), write_record() for each,
//   finish_writing();
//   4. learn() (core/ivf/learn.h) tries the finished index on held-out rows and stores what it
//   needs.
//
// Memory: the sample (64 rows a list or sample_bytes of BuildOptions, whichever is less; up to four
// times sample_bytes where a list would get fewer than 8 rows), the work of the training, one batch
// of rows, one extent of level-1 records. All functions may leave through `poll`.
#pragma once

#include <span>

#include "core/base/random.h"
#include "core/cluster/centroids.h"
#include "core/cluster/progress.h"
#include "core/cluster/sample.h"
#include "core/ivf/codec.h"
#include "core/ivf/extent_writer.h"
#include "core/ivf/held_out.h"
#include "core/ivf/page_writer.h"

namespace pagoda::ivf {

struct BuildOptions {
    uint32_t dim = 0;  // 1 .. dim_max
    Metric metric = Metric::l2;
    uint8_t refine_bits = 8;  // 8, 4 or 0
    int32_t lists = -1;       // -1: chosen from the number of rows
    uint64_t rows_estimate = 0;
    uint64_t sample_bytes = uint64_t{256} << 20;
    uint64_t seed = 0x5061676F6461ull;
    uint32_t index_id = 1;
};

// Receives one row: its list and its spool record of Builder::record_bytes() bytes.
struct Sink {
    void (*accept)(void* context, uint32_t list, std::span<const std::byte> record);
    void* context;
};

// Rows a list is meant to have.
inline constexpr uint64_t rows_a_list = 200;

// Number of lists for `rows` rows when none is asked for.
uint32_t default_list_count(uint64_t rows);

class Builder {
  public:
    Builder(const BuildOptions& options, Memory memory, cluster::Progress poll);

    size_t record_bytes() const { return spool_record_bytes(meta_); }

    // x has options.dim floats.
    void sample_row(std::span<const float> x, Tid tid);
    void train();

    // May call the sink for this row and rows before it.
    void add_row(std::span<const float> x, Tid tid, Sink sink);
    void flush(Sink sink);

    template <BulkStore B>
    void start_writing(B& store) {
        lay_out();
        PageWriter<B> writer(store, meta_.index_id);
        writer.put_meta(meta_);
        writer.put_stream(std::as_bytes(mean_));
        writer.put_stream(std::as_bytes(group_halves_));
        writer.put_records(std::as_bytes(group_entries_), sizeof(GroupEntry));
        writer.put_stream(std::as_bytes(centroid_halves_));
        writer.put_records(std::as_bytes(entries_), sizeof(ListEntry));
        if (!tables_.empty()) {
            writer.put_tables(std::as_bytes(tables_), sizeof(ExtentTable));
        }
        extents_.start(meta_, page_image_);
        store.poll();
    }

    // Records come in ascending list order.
    template <BulkStore B>
    void write_record(uint32_t list, std::span<const std::byte> record, B& store) {
        while (written_list_ < list) next_list(store);
        const ListEntry& entry = entries_[list];
        if (extents_.at_end()) next_extent(entry, store);
        extents_.add(record, store);
    }

    template <BulkStore B>
    void finish_writing(B& store) {
        while (written_list_ < meta_.list_count) next_list(store);
        extents_.finish(store);
    }

    const MetaPage& meta() const { return meta_; }
    const Codec& codec() const { return codec_; }
    HeldOut& held_out() { return held_out_; }
    const Memory& memory() const { return memory_; }
    uint64_t rows() const { return rows_added_; }

  private:
    void grow_sample();
    void set_up_codec();
    void rotate_sample();
    void train_lists(uint32_t list_count);
    void take_batch_memory();
    void store_centroids(const cluster::Centroids& trained);
    void encode_batch(Sink sink);
    void emit_row(size_t row, uint32_t list, RowKind kind, float radius, Sink sink);
    void lay_out();
    Stream take_stream(uint64_t bytes, uint64_t bytes_a_page, uint32_t& next_block) const;
    Position lay_out_list(uint32_t list, Position at, uint32_t& tables_used);

    template <BulkStore B>
    void next_list(B& store) {
        extents_.end_extent(store);
        written_list_++;
        written_extent_ = 0;
        store.poll();
    }

    template <BulkStore B>
    void next_extent(const ListEntry& entry, B& store) {
        extents_.end_extent(store);
        extents_.begin_extent(extent_of(entry, written_extent_++).capacity);
    }

    const Extent& extent_of(const ListEntry& entry, uint32_t number) const {
        if (number < extents_inline) return entry.extents[number];
        const size_t table =
            size_t{entry.table_block - tables_first_} * tables_a_page + entry.table_slot;
        return tables_[table].extents[number - extents_inline];
    }

    BuildOptions options_;
    Memory memory_;
    cluster::Progress poll_;
    MetaPage meta_ = {};
    Codec codec_;

    // First scan.
    cluster::Reservoir reservoir_;
    std::span<float> sample_;  // rows of padded_dim floats; dim of them in use before train()
    std::span<double> mean_sum_;
    double norm2_sum_ = 0;
    uint64_t rows_coded_ = 0;
    std::span<float> scratch_;  // padded_dim
    HeldOut held_out_;

    // The trained model, as stored.
    std::span<float> mean_;
    std::span<uint16_t> group_halves_, centroid_halves_;
    std::span<GroupEntry> group_entries_;
    cluster::Centroids centroids_;  // of the stored halves; list 0 is not among them

    // Second scan.
    std::span<std::byte> assign_memory_;
    std::span<float> batch_;  // rows of padded_dim floats
    std::span<Tid> batch_tids_;
    std::span<uint32_t> batch_lists_;
    std::span<float> batch_distances_;
    size_t batch_rows_ = 0;
    RowCode code_;
    std::span<std::byte> record_;
    std::span<uint32_t> counts_;     // rows of each list
    std::span<double> radius_sums_;  // of each list
    std::span<float> radius_largest_;
    uint64_t rows_added_ = 0;

    // Writing.
    std::span<ListEntry> entries_;
    std::span<ExtentTable> tables_;
    uint32_t tables_first_ = 0;  // block
    std::span<std::byte> page_image_;
    ExtentWriter extents_;
    uint32_t written_list_ = 0;
    uint32_t written_extent_ = 0;
};

// Writes an index without rows: one list at the origin. Used for the init fork; a table without
// rows gives the same through Builder.
template <BulkStore B>
void write_empty_index(B& store, const BuildOptions& options, Memory memory) {
    Builder builder(options, memory, {});
    builder.train();
    builder.start_writing(store);
    builder.finish_writing(store);
}

}  // namespace pagoda::ivf

// An index over the memory store, with the table it belongs to: rows are numbered, and a row's TID
// says its number.
#pragma once

#include <algorithm>
#include <map>
#include <vector>

#include "core/ivf/build.h"
#include "core/ivf/insert.h"
#include "core/ivf/learn.h"
#include "core/ivf/search.h"
#include "core/ivf/stats.h"
#include "core/ivf/vacuum.h"
#include "test/support/datasets.h"
#include "test/support/memory.h"
#include "test/support/memory_store.h"

namespace pagoda::test {

inline Tid tid_of_row(uint32_t row) {
    return {row / 50, static_cast<uint16_t>(row % 50 + 1)};
}
inline uint32_t row_of_tid(Tid tid) {
    return tid.block * 50 + tid.offset - 1;
}

inline Distance distance_of(ivf::Metric metric) {
    return metric == ivf::Metric::l2       ? Distance::l2
           : metric == ivf::Metric::cosine ? Distance::cosine
                                           : Distance::inner_product;
}

// Collects the builder's output and hands it back sorted by list.
class SortedSpool {
  public:
    ivf::Sink sink() {
        return {[](void* context, uint32_t list, std::span<const std::byte> record) {
                    auto& records = static_cast<SortedSpool*>(context)->records_;
                    records.emplace(list, std::vector<std::byte>(record.begin(), record.end()));
                },
                this};
    }
    const std::multimap<uint32_t, std::vector<std::byte>>& records() const { return records_; }

  private:
    std::multimap<uint32_t, std::vector<std::byte>> records_;
};

inline ivf::BuildOptions build_options(uint32_t dim, ivf::Metric metric, size_t rows) {
    ivf::BuildOptions options;
    options.dim = dim;
    options.metric = metric;
    options.rows_estimate = rows;
    options.index_id = 0x1234;
    return options;
}

// Builds an index of all rows of `set`; row i gets tid_of_row(i).
inline void build_index(MemoryStore& store, const VectorSet& set, const ivf::BuildOptions& options,
                        cluster::Progress poll = {}) {
    TestMemory memory;
    ivf::Builder builder(options, memory.memory(), poll);
    for (uint32_t i = 0; i < set.rows(); i++) builder.sample_row(set.row(i), tid_of_row(i));
    builder.train();
    SortedSpool spool;
    for (uint32_t i = 0; i < set.rows(); i++) {
        builder.add_row(set.row(i), tid_of_row(i), spool.sink());
    }
    builder.flush(spool.sink());
    builder.start_writing(store);
    for (const auto& [list, record] : spool.records()) builder.write_record(list, record, store);
    builder.finish_writing(store);
    ivf::learn(store, builder);
    store.expect_no_locks();
}

// The first `limit` rows that a search returns.
inline std::vector<uint32_t> search_rows(MemoryStore& store, std::span<const float> query,
                                         size_t limit, ivf::ScanOptions options = {}) {
    TestMemory memory;
    ivf::Search<MemoryStore> search(store, memory.memory());
    search.start(query, options);
    std::vector<uint32_t> rows;
    for (Tid tid; rows.size() < limit && search.next(&tid);) rows.push_back(row_of_tid(tid));
    store.expect_no_locks();
    return rows;
}

inline void insert_row(MemoryStore& store, std::span<const float> x, uint32_t row) {
    TestMemory memory;
    ivf::Inserter<MemoryStore> inserter(store, memory.memory());
    inserter.open();
    inserter.insert(x, tid_of_row(row));
    store.expect_no_locks();
}

// Removes the rows for which `dead` is true.
inline ivf::VacuumCounts vacuum_rows(MemoryStore& store, const std::vector<bool>& dead) {
    TestMemory memory;
    const auto is_dead = [](void* context, Tid tid) {
        const auto& rows = *static_cast<const std::vector<bool>*>(context);
        const uint32_t row = row_of_tid(tid);
        return row < rows.size() && rows[row];
    };
    auto* rows = const_cast<std::vector<bool>*>(&dead);
    const auto counts = ivf::bulk_delete(store, memory.memory(), {is_dead, rows});
    store.expect_no_locks();
    return counts;
}

// Recall@k of the index over `queries`, with the rows of `set` for which `alive` (empty: all).
inline double mean_recall(MemoryStore& store, const VectorSet& set, const VectorSet& queries,
                          ivf::Metric metric, size_t k, ivf::ScanOptions options = {}) {
    double sum = 0;
    const Distance distance = distance_of(metric);
    for (size_t i = 0; i < queries.rows(); i++) {
        const auto exact = exact_top_k(set, queries.row(i), k, distance);
        const auto found = search_rows(store, queries.row(i), k, options);
        sum += recall(set, queries.row(i), distance, exact, found);
    }
    return sum / static_cast<double>(queries.rows());
}

}  // namespace pagoda::test

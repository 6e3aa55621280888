// Brute force: queries are shared out to threads in blocks; within a block each base row is
// converted once and compared with every query, and a bounded heap per query keeps the nearest.
#include "tools/pagoda/exact.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>
#include <utility>

#include "core/base/check.h"
#include "tools/pagoda/progress.h"

namespace pagoda::tool {
namespace {

using Candidate = std::pair<double, int32_t>;  // distance, id: ordered as ties are to be broken

// Eight partial sums let the compiler use vector registers without reordering one sum.
template <class Term>
double sum_terms(std::span<const float> a, std::span<const float> b, Term term) {
    double sums[8] = {};
    size_t i = 0;
    for (; i + 8 <= a.size(); i += 8) {
        for (size_t lane = 0; lane < 8; ++lane) {
            sums[lane] += term(double(a[i + lane]), double(b[i + lane]));
        }
    }
    for (; i < a.size(); ++i) sums[0] += term(double(a[i]), double(b[i]));
    return (sums[0] + sums[1]) + (sums[2] + sums[3]) + ((sums[4] + sums[5]) + (sums[6] + sums[7]));
}

double dot(std::span<const float> a, std::span<const float> b) {
    return sum_terms(a, b, [](double x, double y) { return x * y; });
}

double squared_distance(std::span<const float> a, std::span<const float> b) {
    return sum_terms(a, b, [](double x, double y) { return (x - y) * (x - y); });
}

// One thread's block of queries, unpacked.
class Block {
  public:
    Block(const MatrixView& queries, size_t begin, size_t end, Metric metric)
        : metric_(metric), columns_(queries.columns), values_((end - begin) * columns_) {
        for (size_t i = begin; i < end; ++i) {
            queries.copy_row(i, std::span(values_).subspan((i - begin) * columns_, columns_));
        }
        heaps_.resize(end - begin);
    }

    void offer(std::span<const float> row, int32_t id, size_t per_query) {
        const double norm = metric_ == Metric::cosine ? std::sqrt(dot(row, row)) : 1;
        for (size_t i = 0; i < heaps_.size(); ++i) {
            const auto query = std::span<const float>(values_).subspan(i * columns_, columns_);
            const Candidate candidate{distance(query, row, norm), id};
            auto& heap = heaps_[i];
            if (heap.size() == per_query) {
                if (candidate >= heap.front()) continue;
                std::ranges::pop_heap(heap);
                heap.back() = candidate;
            } else {
                heap.push_back(candidate);
            }
            std::ranges::push_heap(heap);
        }
    }

    void write(size_t index, std::span<int32_t> ids) {
        std::ranges::sort_heap(heaps_[index]);
        for (size_t i = 0; i < ids.size(); ++i) ids[i] = heaps_[index][i].second;
    }

  private:
    // The query's own norm does not change its order of rows.
    double distance(std::span<const float> query, std::span<const float> row, double norm) const {
        if (metric_ == Metric::l2) return squared_distance(query, row);
        if (norm == 0) return std::numeric_limits<double>::infinity();
        return -dot(query, row) / norm;
    }

    Metric metric_;
    size_t columns_;
    std::vector<float> values_;
    std::vector<std::vector<Candidate>> heaps_;
};

}  // namespace

Neighbours exact_neighbours(const MatrixView& base, const MatrixView& queries, Metric metric,
                            size_t per_query) {
    check_always(per_query > 0 && per_query <= base.rows);
    check_always(base.columns == queries.columns);
    Neighbours result{queries.rows, per_query, std::vector<int32_t>(queries.rows * per_query)};
    constexpr size_t block_queries = 32;  // 32 x 512 floats and their heaps stay in the L2 cache
    const size_t blocks = (queries.rows + block_queries - 1) / block_queries;
    std::atomic<size_t> next{0};
    Progress progress("exact neighbours", blocks);

    const auto work = [&] {
        std::vector<float> row(base.columns);
        for (size_t b = next++; b < blocks; b = next++) {
            const size_t begin = b * block_queries;
            const size_t end = std::min(queries.rows, begin + block_queries);
            Block block(queries, begin, end, metric);
            for (size_t id = 0; id < base.rows; ++id) {
                base.copy_row(id, row);
                block.offer(row, int32_t(id), per_query);
            }
            for (size_t i = begin; i < end; ++i) {
                block.write(i - begin, std::span(result.ids).subspan(i * per_query, per_query));
            }
            progress.advance(1);
        }
    };
    std::vector<std::jthread> threads;
    const size_t count = std::clamp<size_t>(std::thread::hardware_concurrency(), 1, blocks);
    for (size_t i = 0; i < count; ++i) threads.emplace_back(work);
    threads.clear();  // joins
    return result;
}

Neighbours reference_neighbours(const Dataset& set, Metric metric, size_t per_query) {
    if (set.truth && set.truth->per_query >= per_query) return *set.truth;
    return exact_neighbours(set.base, set.queries, metric, per_query);
}

}  // namespace pagoda::tool

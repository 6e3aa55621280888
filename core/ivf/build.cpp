// The parts of a build that write no page: sample, training, encoding, layout.
#include "core/ivf/build.h"

#include <algorithm>
#include <cmath>

#include "core/cluster/assign.h"
#include "core/cluster/train.h"
#include "core/ivf/stream.h"
#include "core/simd/kernels.h"

namespace pagoda::ivf {

namespace {

// Training rows a list: research measured 64 to 100 as enough and below 40 as too few.
constexpr uint64_t sample_rows_a_list = 64;
constexpr uint64_t sample_rows_a_list_least = 8;
constexpr uint64_t sample_rows_least = 1024;
// The sample may take this many times sample_bytes before lists get fewer rows than the least.
constexpr uint64_t sample_excess = 4;
constexpr uint64_t batch_bytes = uint64_t{8} << 20;
constexpr float default_epsilon = 1.5f;

uint64_t sample_capacity(const BuildOptions& options, uint32_t padded_dim) {
    const uint64_t lists = options.lists > 0 ? static_cast<uint64_t>(options.lists)
                                             : default_list_count(options.rows_estimate);
    const uint64_t in_memory = options.sample_bytes / (uint64_t{padded_dim} * sizeof(float));
    const uint64_t wanted =
        std::max(std::min(lists * sample_rows_a_list, in_memory), lists * sample_rows_a_list_least);
    return std::clamp(wanted, sample_rows_least,
                      std::max(sample_excess * in_memory, sample_rows_least));
}

void to_halves(std::span<const float> source, std::span<uint16_t> target) {
    simd::kernels().f32_to_f16(source.data(), target.data(), source.size());
    // Larger components are held at the largest half; residuals take up the difference.
    constexpr uint16_t sign = 0x8000, infinity = 0x7C00, largest = 0x7BFF;
    for (uint16_t& half : target) {
        if ((half & ~sign) >= infinity) half = static_cast<uint16_t>((half & sign) | largest);
    }
}

}  // namespace

uint32_t default_list_count(uint64_t rows) {
    return static_cast<uint32_t>(std::clamp<uint64_t>(rows / rows_a_list, 1, list_count_max - 1));
}

Builder::Builder(const BuildOptions& options, Memory memory, cluster::Progress poll)
    : options_(options),
      memory_(memory),
      poll_(poll),
      reservoir_(sample_capacity(options, rabitq::padded_dimension(options.dim)), options.seed) {
    check_always(options.dim > 0 && options.dim <= dim_max);
    check_always(options.refine_bits == 8 || options.refine_bits == 4 || options.refine_bits == 0);
    meta_.format = format_version;
    meta_.index_id = options.index_id;
    meta_.dim = options.dim;
    meta_.padded_dim = static_cast<uint32_t>(rabitq::padded_dimension(options.dim));
    meta_.metric = options.metric;
    meta_.refine_bits = options.refine_bits;
    meta_.rotation_seed = options.seed;
    meta_.work_scale = 1;
    meta_.kappa0 = static_cast<float>(rabitq::error_per_scale(meta_.padded_dim, 1));
    if (options.refine_bits != 0) {
        meta_.kappa1 =
            static_cast<float>(rabitq::error_per_scale(meta_.padded_dim, options.refine_bits));
    }
    meta_.learnt_epsilon = default_epsilon;
    mean_sum_ = memory.zeroed_array<double>(meta_.dim);
    mean_ = memory.zeroed_array<float>(meta_.dim);
    scratch_ = memory.zeroed_array<float>(meta_.padded_dim);
    Codec sizes;
    sizes.dim = meta_.dim;
    sizes.padded_dim = meta_.padded_dim;
    sizes.metric = meta_.metric;
    held_out_.take_memory(sizes, options.seed + 1, memory);
}

void Builder::sample_row(std::span<const float> x, Tid tid) {
    check_always(x.size() == meta_.dim);
    const auto row = scratch_.first(meta_.dim);
    if (normalise(meta_.metric, x, row) != RowKind::coded) return;
    rows_coded_++;
    for (size_t i = 0; i < row.size(); i++) {
        mean_sum_[i] += row[i];
        norm2_sum_ += double{row[i]} * double{row[i]};
    }
    held_out_.offer(row, tid);
    const uint64_t slot = reservoir_.offer();
    if (slot == cluster::Reservoir::no_slot) return;
    if ((slot + 1) * meta_.padded_dim > sample_.size()) grow_sample();
    std::copy(row.begin(), row.end(),
              sample_.begin() + static_cast<ptrdiff_t>(slot * meta_.padded_dim));
}

// The sample grows with the rows that come, so that a wrong estimate of them costs no memory.
void Builder::grow_sample() {
    const uint64_t rows = std::max<uint64_t>(sample_.size() / meta_.padded_dim * 2, 256);
    const auto larger = memory_.zeroed_array<float>(rows * meta_.padded_dim);
    std::copy(sample_.begin(), sample_.end(), larger.begin());
    memory_.free_array(sample_);
    sample_ = larger;
}

void Builder::set_up_codec() {
    double mean_norm2 = 0;
    for (size_t i = 0; i < mean_.size() && rows_coded_ > 0; i++) {
        const double value = mean_sum_[i] / static_cast<double>(rows_coded_);
        mean_[i] = static_cast<float>(value);
        mean_norm2 += value * value;
    }
    if (rows_coded_ > 0) {
        const double spread = norm2_sum_ / static_cast<double>(rows_coded_) - mean_norm2;
        // Rounding of sums over equal rows is no spread: the data's own magnitude is taken then.
        const bool is_rounding = spread <= 1e-12 * mean_norm2;
        meta_.work_scale = choose_work_scale(is_rounding ? mean_norm2 : spread, meta_.padded_dim);
    }
    codec_ = make_codec(meta_, mean_, memory_);
}

void Builder::rotate_sample() {
    const uint64_t rows = reservoir_.filled();
    for (uint64_t i = 0; i < rows; i++) {
        const auto z = sample_.subspan(i * meta_.padded_dim, meta_.padded_dim);
        if (!rotate_row(codec_, z)) std::fill(z.begin(), z.end(), 0.0f);
        if (i % 64 == 0 && poll_.poll != nullptr) poll_.poll(poll_.context);
    }
}

void Builder::train() {
    set_up_codec();
    rotate_sample();
    const uint32_t wanted = options_.lists > 0 ? static_cast<uint32_t>(options_.lists)
                                               : default_list_count(rows_coded_);
    train_lists(std::min(wanted, list_count_max - 1));
    memory_.free_array(sample_);
    sample_ = {};
    held_out_.prepare(codec_, memory_);
    take_batch_memory();
}

void Builder::train_lists(uint32_t list_count) {
    const size_t rows = reservoir_.filled();
    list_count =
        static_cast<uint32_t>(std::clamp<size_t>(list_count, 1, std::max<size_t>(rows, 1)));
    const auto work =
        memory_.zeroed_array<std::byte>(cluster::train_bytes(rows, meta_.padded_dim, list_count));
    Arena arena(work);
    cluster::Centroids trained;
    const auto sample = sample_.first(rows * meta_.padded_dim);
    const Status status = cluster::train(sample, rows, meta_.padded_dim, list_count,
                                         options_.seed + 2, poll_, arena, trained);
    check_always(status.ok());
    store_centroids(trained);
    memory_.free_array(work);
}

void Builder::store_centroids(const cluster::Centroids& trained) {
    const uint32_t groups = trained.group_count(), lists = trained.list_count();
    meta_.group_count = groups;
    meta_.list_count = lists + 1;
    group_halves_ = memory_.zeroed_array<uint16_t>(trained.groups.size());
    to_halves(trained.groups, group_halves_);
    // List 0 is the outlier list; its centroid stays zero.
    centroid_halves_ = memory_.zeroed_array<uint16_t>(trained.lists.size() + meta_.padded_dim);
    to_halves(trained.lists, centroid_halves_.subspan(meta_.padded_dim));
    group_entries_ = memory_.zeroed_array<GroupEntry>(groups);
    centroids_.dim = meta_.padded_dim;
    centroids_.group_begin = memory_.zeroed_array<uint32_t>(groups + 1);
    for (uint32_t i = 0; i <= groups; i++) centroids_.group_begin[i] = trained.group_begin[i];
    for (uint32_t i = 0; i < groups; i++) {
        const uint32_t first = trained.group_begin[i];
        group_entries_[i] = {first + 1, trained.group_begin[i + 1] - first, {}};
    }
    // Codes are relative to the centroids as they are stored.
    centroids_.groups = memory_.zeroed_array<float>(trained.groups.size());
    centroids_.lists = memory_.zeroed_array<float>(trained.lists.size());
    const auto& kernels = simd::kernels();
    kernels.f16_to_f32(group_halves_.data(), centroids_.groups.data(), group_halves_.size());
    kernels.f16_to_f32(centroid_halves_.data() + meta_.padded_dim, centroids_.lists.data(),
                       centroids_.lists.size());
}

void Builder::take_batch_memory() {
    const uint64_t row_bytes = uint64_t{meta_.padded_dim} * sizeof(float);
    const uint64_t rows = std::clamp<uint64_t>(batch_bytes / row_bytes, 64, 4096);
    batch_ = memory_.zeroed_array<float>(rows * meta_.padded_dim);
    batch_tids_ = memory_.zeroed_array<Tid>(rows);
    batch_lists_ = memory_.zeroed_array<uint32_t>(rows);
    batch_distances_ = memory_.zeroed_array<float>(rows);
    assign_memory_ = memory_.zeroed_array<std::byte>(
        cluster::assign_bytes(rows, meta_.padded_dim, meta_.group_count, meta_.list_count - 1));
    code_.signs = memory_.zeroed_array<uint8_t>(meta_.padded_dim / 8);
    code_.fine = memory_.zeroed_array<uint8_t>(size_t{meta_.padded_dim} * meta_.refine_bits / 8);
    record_ = memory_.zeroed_array<std::byte>(record_bytes());
    counts_ = memory_.zeroed_array<uint32_t>(meta_.list_count);
    radius_sums_ = memory_.zeroed_array<double>(meta_.list_count);
    radius_largest_ = memory_.zeroed_array<float>(meta_.list_count);
}

void Builder::add_row(std::span<const float> x, Tid tid, Sink sink) {
    check_always(x.size() == meta_.dim && tid.valid());
    const auto z = batch_.subspan(batch_rows_ * meta_.padded_dim, meta_.padded_dim);
    batch_tids_[batch_rows_] = tid;
    const RowKind kind = to_work_space(codec_, x, z);
    if (kind != RowKind::coded) {
        emit_row(batch_rows_, outlier_list, kind, 0, sink);
        return;
    }
    if (++batch_rows_ == batch_tids_.size()) encode_batch(sink);
}

void Builder::flush(Sink sink) {
    if (batch_rows_ > 0) encode_batch(sink);
}

void Builder::encode_batch(Sink sink) {
    const auto rows = batch_.first(batch_rows_ * meta_.padded_dim);
    Arena arena(assign_memory_);
    const Status status =
        cluster::assign(centroids_, rows, cluster::default_explore, poll_, arena,
                        batch_lists_.first(batch_rows_), batch_distances_.first(batch_rows_));
    check_always(status.ok());
    held_out_.compare(rows, batch_tids_.first(batch_rows_), poll_);
    for (size_t row = 0; row < batch_rows_; row++) {
        if (row % 64 == 0 && poll_.poll != nullptr) poll_.poll(poll_.context);
        emit_row(row, batch_lists_[row] + 1, RowKind::coded, std::sqrt(batch_distances_[row]),
                 sink);
    }
    batch_rows_ = 0;
}

void Builder::emit_row(size_t row, uint32_t list, RowKind kind, float radius, Sink sink) {
    SpoolHead head = {};
    head.tid_block = batch_tids_[row].block;
    head.tid_offset = batch_tids_[row].offset;
    const auto z = std::span<const float>(batch_).subspan(row * meta_.padded_dim, meta_.padded_dim);
    if (kind == RowKind::coded && !encode_row(codec_, z, centroids_.list(list - 1), code_)) {
        kind = RowKind::too_large;
        list = outlier_list;
    }
    std::fill(record_.begin(), record_.end(), std::byte{0});
    if (kind == RowKind::coded) {
        head.add0 = code_.add0;
        head.scale0 = code_.scale0;
        head.add1 = code_.add1;
        head.scale1 = code_.scale1;
        const auto signs = std::as_bytes(code_.signs), fine = std::as_bytes(code_.fine);
        std::copy(signs.begin(), signs.end(), record_.begin() + sizeof(SpoolHead));
        std::copy(fine.begin(), fine.end(),
                  record_.begin() + static_cast<ptrdiff_t>(sizeof(SpoolHead) + signs.size()));
        radius_sums_[list] += radius;
        radius_largest_[list] = std::max(radius_largest_[list], radius);
    } else {
        head.outlier = kind == RowKind::zero ? OutlierKind::zero : OutlierKind::too_large;
    }
    store(record_.data(), head);
    counts_[list]++;
    rows_added_++;
    sink.accept(sink.context, list, record_);
}

namespace {

// Rows of one extent of a list of `rows` rows: small extents bound the memory of the writer; a long
// list is cut into at most 16 so that room for growth remains.
uint32_t extent_rows(uint32_t rows) {
    const uint64_t sixteenth = round_up(divide_up(rows, 16), lanes);
    return static_cast<uint32_t>(std::max<uint64_t>(sixteenth, 8192));
}

}  // namespace

Stream Builder::take_stream(uint64_t bytes, uint64_t bytes_a_page, uint32_t& next_block) const {
    Stream stream = {};
    stream.bytes = bytes;
    stream.run_count = 1;
    stream.runs[0] = {next_block, static_cast<uint32_t>(divide_up(bytes, bytes_a_page))};
    next_block += stream.runs[0].pages;
    return stream;
}

Position Builder::lay_out_list(uint32_t list, Position at, uint32_t& tables_used) {
    ListEntry& entry = entries_[list];
    entry.used = counts_[list];
    entry.radius_largest = radius_largest_[list];
    if (counts_[list] > 0) {
        entry.radius_mean = static_cast<float>(radius_sums_[list] / counts_[list]);
    }
    const uint32_t each = extent_rows(counts_[list]);
    for (uint32_t rows_left = counts_[list]; rows_left > 0;) {
        const uint32_t capacity = std::min(rows_left, each);
        if (at.offset == content_bytes) at = {at.block + 1, 0};
        const Extent extent = {at.block, static_cast<uint16_t>(at.offset), 0, capacity};
        if (entry.extent_count == extents_inline) {
            entry.table_block = tables_first_ + tables_used / tables_a_page;
            entry.table_slot = tables_used++ % tables_a_page;
        }
        if (entry.extent_count < extents_inline) {
            entry.extents[entry.extent_count] = extent;
        } else {
            tables_[tables_used - 1].extents[entry.extent_count - extents_inline] = extent;
        }
        entry.extent_count++;
        at = advance(at, extent_bytes(meta_.padded_dim, meta_.refine_bits, capacity));
        rows_left -= capacity;
    }
    return at;
}

void Builder::lay_out() {
    uint32_t table_count = 0, largest = 0;
    for (const uint32_t rows : counts_) {
        if (divide_up(rows, extent_rows(rows)) > extents_inline) table_count++;
        largest = std::max(largest, std::min(rows, extent_rows(rows)));
    }
    uint32_t block = meta_block + 1;
    const auto records_a_page = [](size_t record) { return content_bytes / record * record; };
    meta_.mean = take_stream(mean_.size_bytes(), content_bytes, block);
    meta_.groups = take_stream(group_halves_.size_bytes(), content_bytes, block);
    meta_.group_entries =
        take_stream(group_entries_.size_bytes(), records_a_page(sizeof(GroupEntry)), block);
    meta_.centroids = take_stream(centroid_halves_.size_bytes(), content_bytes, block);
    entries_ = memory_.zeroed_array<ListEntry>(meta_.list_count);
    meta_.entries = take_stream(entries_.size_bytes(), records_a_page(sizeof(ListEntry)), block);
    tables_ = memory_.zeroed_array<ExtentTable>(table_count);
    tables_first_ = block;
    block += static_cast<uint32_t>(divide_up(table_count, tables_a_page));

    Position at = {block, 0};
    uint32_t tables_used = 0;
    for (uint32_t list = 0; list < meta_.list_count; list++) {
        at = lay_out_list(list, at, tables_used);
    }
    check_always(tables_used == table_count);
    if (table_count > 0) {
        meta_.table_block = block - 1;
        meta_.table_used = (table_count - 1) % tables_a_page + 1;
    }
    if (at.block != block || at.offset != 0) {
        meta_.tail = at;
        meta_.tail_end = at.offset > 0 ? at.block + 1 : at.block;
    }
    meta_.built_rows = rows_added_;
    extents_.take_memory(meta_, largest, memory_);
    page_image_ = memory_.zeroed_array<std::byte>(page_bytes);
}

}  // namespace pagoda::ivf

// Lays out the streams of an empty index, then writes the meta page that points to them.
#include "test/support/tiny_index.h"

#include <algorithm>
#include <vector>

#include "core/rabitq/rotation.h"
#include "core/simd/kernels.h"

namespace pagoda::test {

namespace {

using ivf::MetaPage;

// Pages in the order of their blocks; block 0 is added when the streams are known.
class Writer {
  public:
    Writer(const TinyIndexShape& shape) : shape_(shape), pages_(1) {}

    ivf::Stream add(std::span<const std::byte> bytes) {
        const size_t count = divide_up(bytes.size(), content_bytes);
        ivf::Stream stream = {};
        stream.bytes = bytes.size();
        const size_t first_run = shape_.split_runs && count > 1 ? count / 2 : count;
        add_run(stream, bytes.first(std::min(bytes.size(), first_run * content_bytes)));
        if (first_run < count) {
            new_page();
            add_run(stream, bytes.subspan(first_run * content_bytes));
        }
        return stream;
    }

    void finish(const MetaPage& meta, MemoryStore& store) {
        init_page(pages_[0], PageKind::ivf_meta, ivf::page_version, shape_.index_id);
        pagoda::store(pages_[0].data() + content_begin, meta);
        for (const PageImage& page : pages_) store.append_page(page);
    }

  private:
    PageImage& new_page() {
        PageImage& page = pages_.emplace_back();
        init_page(page, PageKind::ivf_stream, ivf::page_version, shape_.index_id);
        return page;
    }

    void add_run(ivf::Stream& stream, std::span<const std::byte> bytes) {
        ivf::Run& run = stream.runs[stream.run_count++];
        run.block = static_cast<uint32_t>(pages_.size());
        while (!bytes.empty()) {
            const auto piece = bytes.first(std::min(bytes.size(), content_bytes));
            std::copy(piece.begin(), piece.end(), new_page().begin() + content_begin);
            bytes = bytes.subspan(piece.size());
            run.pages++;
        }
    }

    const TinyIndexShape& shape_;
    std::vector<PageImage> pages_;
};

std::vector<uint16_t> random_halves(size_t count, Random& random) {
    std::vector<float> values(count);
    for (float& value : values) value = static_cast<float>(2 * random.unit() - 1);
    std::vector<uint16_t> halves(count);
    simd::kernels().f32_to_f16(values.data(), halves.data(), count);
    return halves;
}

// Items that never lie across pages, each `Item` in its slot.
template <class Item>
std::vector<std::byte> paged(std::span<const Item> items) {
    const size_t a_page = content_bytes / sizeof(Item);
    std::vector<std::byte> bytes(divide_up(items.size(), a_page) * content_bytes);
    for (size_t i = 0; i < items.size(); i++) {
        store(bytes.data() + i / a_page * content_bytes + i % a_page * sizeof(Item), items[i]);
    }
    return bytes;
}

std::vector<ivf::GroupEntry> even_groups(const TinyIndexShape& shape) {
    std::vector<ivf::GroupEntry> groups(shape.groups);
    uint32_t next = 1;
    for (uint32_t g = 0; g < shape.groups; g++) {
        const uint32_t end = 1 + (g + 1) * shape.lists / shape.groups;
        groups[g] = {next, end - next, {}};
        next = end;
    }
    return groups;
}

}  // namespace

void write_tiny_index(MemoryStore& store, const TinyIndexShape& shape) {
    check_always(store.block_count() == 0);
    check_always(shape.groups > 0 && shape.groups <= shape.lists);
    Random random(shape.seed);
    MetaPage meta = {};
    meta.format = ivf::format_version;
    meta.index_id = shape.index_id;
    meta.dim = shape.dim;
    meta.padded_dim = static_cast<uint32_t>(rabitq::padded_dimension(shape.dim));
    meta.metric = shape.metric;
    meta.refine_bits = shape.refine_bits;
    meta.list_count = shape.lists + 1;
    meta.group_count = shape.groups;
    meta.rotation_seed = random.next();
    meta.work_scale = 1;
    meta.kappa0 = meta.kappa1 = 0.05f;
    meta.learnt_epsilon = 2.0f;

    std::vector<float> mean(shape.dim);
    for (float& value : mean) value = static_cast<float>(random.unit());
    auto centroids = random_halves(size_t{meta.list_count} * meta.padded_dim, random);
    std::fill_n(centroids.begin(), meta.padded_dim, uint16_t{0});  // of the outlier list
    const auto group_centroids = random_halves(size_t{shape.groups} * meta.padded_dim, random);
    const auto groups = even_groups(shape);
    const std::vector<ivf::ListEntry> entries(meta.list_count);

    Writer writer(shape);
    meta.mean = writer.add(std::as_bytes(std::span(mean)));
    meta.groups = writer.add(std::as_bytes(std::span(group_centroids)));
    meta.group_entries = writer.add(paged(std::span(groups)));
    meta.centroids = writer.add(std::as_bytes(std::span(centroids)));
    meta.entries = writer.add(paged(std::span(entries)));
    writer.finish(meta, store);
}

}  // namespace pagoda::test

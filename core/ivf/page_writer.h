// Bulk output of byte streams: fills page images in block order. Each page is written once.
#pragma once

#include <algorithm>
#include <span>

#include "core/ivf/format.h"
#include "core/page/store.h"

namespace pagoda::ivf {

// The directory part of a build: whole streams, each starting on a page of its own. Blocks come out
// in call order, which is the order that lay_out() gave out.
template <BulkStore B>
class PageWriter {
  public:
    PageWriter(B& store, uint32_t index_id) : store_(&store), index_id_(index_id) {}

    void put_meta(const MetaPage& meta) {
        begin(PageKind::ivf_meta);
        pagoda::store(page_ + content_begin, meta);
        end();
    }

    // Bytes without regard to page ends.
    void put_stream(std::span<const std::byte> bytes) {
        put(bytes, content_bytes, PageKind::ivf_stream);
    }

    // Fixed-size records that never cross pages.
    void put_records(std::span<const std::byte> bytes, size_t record) {
        put(bytes, content_bytes / record * record, PageKind::ivf_stream);
    }

    void put_tables(std::span<const std::byte> bytes, size_t record) {
        put(bytes, content_bytes / record * record, PageKind::ivf_extents);
    }

  private:
    void put(std::span<const std::byte> bytes, size_t bytes_a_page, PageKind kind) {
        while (!bytes.empty()) {
            begin(kind);
            const size_t count = std::min(bytes.size(), bytes_a_page);
            std::copy_n(bytes.begin(), count, page_ + content_begin);
            bytes = bytes.subspan(count);
            end();
        }
    }

    void begin(PageKind kind) {
        init_page(PageBytes(page_, page_bytes), kind, page_version, index_id_);
    }
    void end() { store_->append_page(ConstPageBytes(page_, page_bytes)); }

    B* store_;
    uint32_t index_id_;
    alignas(8) std::byte page_[page_bytes];
};

}  // namespace pagoda::ivf

// Bulk output of extents: groups of 32 rows as they fill, the level-1 records of the extent behind
// them. Extents follow each other without gaps (16-byte aligned), so lists share pages.
#pragma once

#include <algorithm>
#include <span>

#include "core/base/memory.h"
#include "core/ivf/format.h"
#include "core/ivf/lanes.h"
#include "core/ivf/spool.h"
#include "core/page/store.h"

namespace pagoda::ivf {

class ExtentWriter {
  public:
    // Memory for extents of at most `capacity` rows.
    void take_memory(const MetaPage& meta, uint32_t capacity, const Memory& memory) {
        group_ = memory.zeroed_array<std::byte>(rabitq::group_bytes(meta.padded_dim));
        const size_t bytes = capacity * ivf::record_bytes(meta.padded_dim, meta.refine_bits);
        records_ = memory.zeroed_array<std::byte>(std::max<size_t>(bytes, 1));
    }

    // `page` (page_bytes) holds the page being filled.
    void start(const MetaPage& meta, std::span<std::byte> page) {
        meta_ = &meta;
        page_ = page;
        begin_page();
    }

    bool at_end() const { return rows_ == capacity_; }

    void begin_extent(uint32_t capacity) {
        check_always(rows_ == capacity_);
        capacity_ = capacity;
        rows_ = 0;
    }

    template <BulkStore B>
    void add(std::span<const std::byte> record, B& store) {
        check_always(rows_ < capacity_);
        add_lane(rows_ % lanes, record);
        rows_++;
        if (rows_ % lanes == 0 || rows_ == capacity_) put(finished_group(), store);
    }

    // Writes the records of the extent, if one is open; it must be full.
    template <BulkStore B>
    void end_extent(B& store) {
        check_always(rows_ == capacity_);
        if (capacity_ == 0) return;
        const size_t bytes = capacity_ * ivf::record_bytes(meta_->padded_dim, meta_->refine_bits);
        put(records_.first(bytes), store);
        std::byte zeros[16] = {};
        put(std::span(zeros).first(round_up(used_, 16) - used_), store);
        capacity_ = rows_ = 0;
    }

    // Writes the last page.
    template <BulkStore B>
    void finish(B& store) {
        if (used_ > 0) end_page(store);
    }

  private:
    // Puts a spooled row into a lane of the group image and its level-1 record behind the others.
    void add_lane(uint32_t lane, std::span<const std::byte> record);
    // The group image with factors; the next lane starts a new one.
    std::span<const std::byte> finished_group();

    void begin_page() {
        init_page(PageBytes(page_.data(), page_bytes), PageKind::ivf_stream, page_version,
                  meta_->index_id);
        used_ = 0;
    }

    template <BulkStore B>
    void end_page(B& store) {
        store.append_page(ConstPageBytes(page_.data(), page_bytes));
        begin_page();
    }

    template <BulkStore B>
    void put(std::span<const std::byte> bytes, B& store) {
        while (!bytes.empty()) {
            const size_t count = std::min(bytes.size(), content_bytes - used_);
            std::copy_n(bytes.begin(), count, page_.begin() + content_begin + used_);
            used_ += count;
            bytes = bytes.subspan(count);
            if (used_ == content_bytes) {
                end_page(store);
                store.poll();
            }
        }
    }

    const MetaPage* meta_ = nullptr;
    std::span<std::byte> group_, records_, page_;
    double adds_[lanes] = {}, scales_[lanes] = {};
    OutlierKind outliers_[lanes] = {};
    uint32_t lanes_used_ = 0;
    uint32_t capacity_ = 0, rows_ = 0;
    size_t used_ = 0;  // of the page's content
};

}  // namespace pagoda::ivf

// Checks of what is read from the meta page and from list entries.
#include "core/ivf/directory.h"

#include "core/rabitq/rotation.h"

namespace pagoda::ivf {

namespace {

Error corrupt(uint32_t block, const char* expected) {
    return {ErrorCode::corrupt_page, block, expected};
}

bool stream_fits(const Stream& stream, uint64_t bytes_needed, uint32_t block_count) {
    if (stream.run_count > stream_runs_max) return false;
    uint64_t pages = 0;
    for (uint32_t i = 0; i < stream.run_count; i++) {
        const Run& run = stream.runs[i];
        if (run.block == meta_block || run.block >= block_count) return false;
        if (run.pages > block_count - run.block) return false;
        pages += run.pages;
    }
    return bytes_needed <= pages * content_bytes;
}

// Whether the extent is well formed. That its blocks exist is checked when they are read.
bool extent_fits(const MetaPage& meta, const Extent& extent) {
    if (extent.block == meta_block) return false;
    if (extent.offset % 16 != 0 || extent.offset >= content_bytes) return false;
    if (extent.capacity == 0 || extent.capacity > extent_capacity_max) return false;
    const uint64_t bytes = extent_bytes(meta.padded_dim, meta.refine_bits, extent.capacity);
    return extent.block + divide_up(extent.offset + bytes, content_bytes) <= no_block;
}

Status validate_scalars(const MetaPage& meta) {
    if (meta.format != format_version) {
        return Error{ErrorCode::unknown_version, meta_block, "index format version 1"};
    }
    if (meta.dim == 0 || meta.dim > dim_max) return corrupt(meta_block, "1 to 16000 dimensions");
    if (meta.padded_dim != rabitq::padded_dimension(meta.dim)) {
        return corrupt(meta_block, "padded dimensions that follow from the dimensions");
    }
    if (meta.metric < Metric::l2 || meta.metric > Metric::cosine) {
        return corrupt(meta_block, "a known metric");
    }
    if (meta.refine_bits != 0 && meta.refine_bits != 4 && meta.refine_bits != 8) {
        return corrupt(meta_block, "0, 4 or 8 refinement bits");
    }
    if (meta.list_count < 2 || meta.list_count > list_count_max) {
        return corrupt(meta_block, "2 to 1048576 lists");
    }
    if (meta.group_count == 0 || meta.group_count >= meta.list_count) {
        return corrupt(meta_block, "fewer groups than lists");
    }
    if (meta.learnt_count > learnt_points_max)
        return corrupt(meta_block, "at most 24 learnt points");
    return {};
}

}  // namespace

Status validate_meta(const MetaPage& meta, uint32_t block_count) {
    if (Status status = validate_scalars(meta); !status) return status;
    const uint64_t centroid_bytes = uint64_t{meta.padded_dim} * 2;
    const uint64_t entry_pages = divide_up(meta.list_count, entries_a_page);
    const uint64_t group_pages = divide_up(meta.group_count, group_entries_a_page);
    if (!stream_fits(meta.mean, uint64_t{meta.dim} * sizeof(float), block_count) ||
        !stream_fits(meta.groups, meta.group_count * centroid_bytes, block_count) ||
        !stream_fits(meta.group_entries, group_pages * content_bytes, block_count) ||
        !stream_fits(meta.centroids, meta.list_count * centroid_bytes, block_count) ||
        !stream_fits(meta.entries, entry_pages * content_bytes, block_count)) {
        return corrupt(meta_block, "streams inside the index that cover their content");
    }
    if (meta.tail_end > block_count || meta.tail.offset > content_bytes ||
        meta.table_used > tables_a_page || meta.table_block >= block_count) {
        return corrupt(meta_block, "free space inside the index");
    }
    return {};
}

Status validate_entry(const MetaPage& meta, const ListEntry& entry, uint32_t block) {
    if (entry.extent_count > extents_max) return corrupt(block, "at most 64 extents a list");
    if (entry.dead > entry.used) return corrupt(block, "no more empty lanes than lanes");
    const uint32_t inlined = std::min<uint32_t>(entry.extent_count, extents_inline);
    uint64_t capacity = 0;
    for (uint32_t i = 0; i < inlined; i++) {
        if (!extent_fits(meta, entry.extents[i])) {
            return corrupt(block, "extents inside the index");
        }
        capacity += entry.extents[i].capacity;
    }
    if (entry.extent_count > extents_inline) {
        if (entry.table_block == meta_block || entry.table_slot >= tables_a_page) {
            return corrupt(block, "an extent table inside the index");
        }
    } else if (entry.used > capacity) {
        return corrupt(block, "no more lanes than the extents hold");
    }
    return {};
}

Status validate_extents(const MetaPage& meta, const ListEntry& entry,
                        std::span<const Extent> extents, uint32_t block) {
    uint64_t capacity = 0;
    for (const Extent& extent : extents) {
        if (!extent_fits(meta, extent)) {
            return corrupt(block, "extents inside the index");
        }
        capacity += extent.capacity;
    }
    if (entry.used > capacity) return corrupt(block, "no more lanes than the extents hold");
    return {};
}

}  // namespace pagoda::ivf

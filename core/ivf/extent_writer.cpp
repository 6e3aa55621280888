// Group images from spooled rows.
#include "core/ivf/extent_writer.h"

namespace pagoda::ivf {

void ExtentWriter::add_lane(uint32_t lane, std::span<const std::byte> record) {
    check_always(record.size() == spool_record_bytes(*meta_));
    if (lane == 0) rabitq::clear_group(group_, meta_->padded_dim);
    const auto head = load<SpoolHead>(record.data());
    const auto* signs = reinterpret_cast<const uint8_t*>(record.data() + sizeof(SpoolHead));
    const size_t sign_bytes = meta_->padded_dim / 8;
    rabitq::put_code(group_, meta_->padded_dim, lane, {signs, sign_bytes});
    adds_[lane] = head.add0;
    scales_[lane] = head.scale0;
    outliers_[lane] = head.outlier;
    store_tid(group_.data() + rabitq::tid_offset(meta_->padded_dim, lane),
              {head.tid_block, head.tid_offset});
    lanes_used_ = lane + 1;

    if (meta_->refine_bits == 0) return;
    const size_t code_bytes = size_t{meta_->padded_dim} * meta_->refine_bits / 8;
    std::byte* target =
        records_.data() + rows_ * ivf::record_bytes(meta_->padded_dim, meta_->refine_bits);
    std::copy_n(record.begin() + static_cast<ptrdiff_t>(sizeof(SpoolHead) + sign_bytes), code_bytes,
                target);
    store(target + code_bytes, head.add1);
    store(target + code_bytes + sizeof(float), head.scale1);
}

std::span<const std::byte> ExtentWriter::finished_group() {
    rabitq::store_factors(group_, meta_->padded_dim, std::span(adds_).first(lanes_used_),
                          std::span(scales_).first(lanes_used_));
    for (uint32_t lane = 0; lane < lanes_used_; lane++) {
        if (outliers_[lane] == OutlierKind::none) continue;
        set_lane_kind(group_.subspan(block_offset(meta_->padded_dim)), lane,
                      static_cast<uint16_t>(outliers_[lane]));
    }
    return group_;
}

}  // namespace pagoda::ivf

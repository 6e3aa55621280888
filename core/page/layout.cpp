// Initialising and recognising pages.
#include "core/page/layout.h"

namespace pagoda {

void init_page(PageBytes page, PageKind kind, uint8_t version, uint32_t index_id) {
    std::memset(page.data(), 0, page.size());
    store<uint16_t>(page.data() + pd_lower_offset, content_end);
    store<uint16_t>(page.data() + pd_upper_offset, content_end);
    store<uint16_t>(page.data() + pd_special_offset, content_end);
    store<uint16_t>(page.data() + pd_pagesize_version_offset, pd_pagesize_version);
    store(page.data() + content_end, PageTag{page_magic, index_id, kind, version, 0, 0});
}

Status validate_page(ConstPageBytes page, PageKind kind, uint8_t version_max, uint32_t index_id,
                     uint32_t block) {
    const PageTag tag = page_tag(page);
    const auto corrupt = [&](const char* expected) {
        return Error{ErrorCode::corrupt_page, block, expected};
    };
    if (load<uint16_t>(page.data() + pd_special_offset) != content_end) {
        return corrupt("a special area of 16 bytes");
    }
    if (tag.magic != page_magic) return corrupt("the page magic of this library");
    if (tag.index_id != index_id) return corrupt("a page of this index");
    if (tag.kind != kind) return corrupt("a page of the kind that belongs here");
    if (tag.version == 0 || tag.version > version_max) {
        return Error{ErrorCode::unknown_version, block, "a known page version"};
    }
    return {};
}

}  // namespace pagoda

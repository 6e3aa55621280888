// Edits to pages and WAL.
#include "pg/wal.h"

#include "pg/rmgr.h"

namespace pagoda {

namespace {

static_assert(PageEdit::pages_max <= MAX_GENERIC_XLOG_PAGES);
static_assert(PageEdit::pages_max <= XLR_NORMAL_MAX_BLOCK_ID + 1);

#ifdef PAGODA_CHECKS
constexpr bool try_all_scripts = true;
#else
constexpr bool try_all_scripts = false;
#endif

// Pages after the scripts that may fail, made before the critical section.
PGAlignedBlock staged[PageEdit::pages_max];

PageBytes bytes_of(char* page) {
    return PageBytes(reinterpret_cast<std::byte*>(page), page_bytes);
}

Page page_of(const PageEdit::Page& page) {
    return BufferGetPage(page.handle);
}

Status apply_to(char* target, const PageEdit& edit, size_t i) {
    const Status status = apply_script(bytes_of(target), edit.script(i), page_transforms());
    if (status) return {};
    return Error{status.error().code, edit.pages()[i].block, status.error().expected};
}

Status log_generic(Relation index, const PageEdit& edit) {
    GenericXLogState* record = GenericXLogStart(index);
    for (size_t i = 0; i < edit.pages().size(); i++) {
        // A fresh page is all zero, without a header that a difference could be computed against.
        const Buffer buffer = edit.pages()[i].handle;
        const int flags = PageIsNew(BufferGetPage(buffer)) ? GENERIC_XLOG_FULL_IMAGE : 0;
        Page copy = GenericXLogRegisterBuffer(record, buffer, flags);
        if (Status status = apply_to(copy, edit, i); !status) {
            GenericXLogAbort(record);
            return status;
        }
    }
    GenericXLogFinish(record);
    return {};
}

// Scripts are checked against the bounds of a page when they are built; only a transform depends on
// what is on the page, which may be damaged. Checked builds try all scripts.
Status stage(const PageEdit& edit) {
    for (size_t i = 0; i < edit.pages().size(); i++) {
        if (!edit.pages()[i].can_fail && !try_all_scripts) continue;
        std::memcpy(staged[i].data, page_of(edit.pages()[i]), page_bytes);
        if (Status status = apply_to(staged[i].data, edit, i); !status) return status;
    }
    return {};
}

// In the critical section.
void change_pages(const PageEdit& edit) {
    for (size_t i = 0; i < edit.pages().size(); i++) {
        const PageEdit::Page& page = edit.pages()[i];
        if (page.can_fail) {
            std::memcpy(page_of(page), staged[i].data, page_bytes);
        } else if (Status status = apply_to(page_of(page), edit, i); !status) {
            elog(PANIC, "edit of block %u does not apply: expected %s", page.block,
                 status.error().expected);
        }
        MarkBufferDirty(page.handle);
    }
}

RecordHead head_of(const PageEdit& edit) {
    RecordHead head = {record_version, 0, edit.horizon()};
    for (size_t i = 0; i < edit.pages().size(); i++) {
        if (edit.pages()[i].wants_cleanup) head.flags |= static_cast<uint8_t>(1u << i);
    }
    if (edit.horizon() != InvalidTransactionId) head.flags |= RecordFlags::has_horizon;
    if (edit.table() == TableKind::catalog) head.flags |= RecordFlags::is_catalog;
    return head;
}

size_t used_bytes(Page page) {
    const auto* header = reinterpret_cast<const PageHeaderData*>(page);
    return page_bytes - (header->pd_upper - header->pd_lower);
}

void register_page(const PageEdit& edit, uint8 block_id) {
    const PageEdit::Page& page = edit.pages()[block_id];
    const std::span<const std::byte> script = edit.script(block_id);
    // An image is smaller than a script of more bytes than the page has.
    if (script.size() > used_bytes(page_of(page))) {
        XLogRegisterBuffer(block_id, page.handle, REGBUF_STANDARD | REGBUF_FORCE_IMAGE);
        return;
    }
    XLogRegisterBuffer(block_id, page.handle,
                       REGBUF_STANDARD | (page.is_init ? REGBUF_WILL_INIT : 0));
    if (script.empty()) return;
    // The server reads the bytes only, but takes a pointer to char in some versions.
    auto* bytes = const_cast<char*>(reinterpret_cast<const char*>(script.data()));
    XLogRegisterBufData(block_id, bytes, static_cast<int>(script.size()));
}

// In the critical section, with the pages changed.
void write_record(const PageEdit& edit) {
    std::byte head[record_head_max];
    const size_t head_size = store_head(head, head_of(edit));
    XLogBeginInsert();
    XLogRegisterData(reinterpret_cast<char*>(head), static_cast<int>(head_size));
    const auto count = static_cast<uint8>(edit.pages().size());
    for (uint8 i = 0; i < count; i++) register_page(edit, i);
    const auto info = static_cast<uint8>(static_cast<unsigned>(edit.kind()) << 4);
    const XLogRecPtr lsn = XLogInsert(resource_manager_id(), info);
    for (const PageEdit::Page& edited : edit.pages()) {
        Page page = page_of(edited);
        PageSetLSN(page, lsn);
    }
}

}  // namespace

Status log_edit(Relation index, const PageEdit& edit) {
    check(!edit.empty());
    const bool needs_wal = RelationNeedsWAL(index);
    if (needs_wal && !own_records_allowed()) return log_generic(index, edit);
    if (Status status = stage(edit); !status) return status;
    START_CRIT_SECTION();
    change_pages(edit);
    if (needs_wal) write_record(edit);
    END_CRIT_SECTION();
    return {};
}

}  // namespace pagoda

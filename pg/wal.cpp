// Edits through generic WAL.
#include "pg/wal.h"

namespace pagoda {

static_assert(PageEdit::pages_max <= MAX_GENERIC_XLOG_PAGES);

Status log_edit(Relation index, const PageEdit& edit) {
    check(!edit.empty());
    GenericXLogState* record = GenericXLogStart(index);
    for (size_t i = 0; i < edit.pages().size(); i++) {
        const std::span<const std::byte> script = edit.script(i);
        // A fresh page is all zero, without a header that a difference could be computed against.
        const Buffer buffer = edit.pages()[i].handle;
        const int flags = PageIsNew(BufferGetPage(buffer)) ? GENERIC_XLOG_FULL_IMAGE : 0;
        Page copy = GenericXLogRegisterBuffer(record, buffer, flags);
        const PageBytes bytes(reinterpret_cast<std::byte*>(copy), page_bytes);
        if (Status status = apply_script(bytes, script, {}); !status) {
            GenericXLogAbort(record);
            return Error{status.error().code, edit.pages()[i].block, status.error().expected};
        }
    }
    GenericXLogFinish(record);
    return {};
}

}  // namespace pagoda

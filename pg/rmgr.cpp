// Replay, description and masking of our WAL records.
#include "pg/rmgr.h"

#include "core/page/describe.h"
#include "pg/compat.h"
#include "pg/error.h"

#ifndef PAGODA_RMGR_ID
#error "the build sets PAGODA_RMGR_ID"
#endif

namespace pagoda {

namespace {

constexpr RmgrId rmgr_id = PAGODA_RMGR_ID;
static_assert(PAGODA_RMGR_ID >= RM_MIN_CUSTOM_ID && PAGODA_RMGR_ID <= RM_MAX_CUSTOM_ID);
constexpr const char* rmgr_name = "pagoda";

#ifdef PAGODA_CHECKS
// Replay damages every n-th page that it changes, for tests of the consistency check; 0: never.
int debug_break_redo = 0;
int pages_replayed = 0;

void break_page(PageBytes page) {
    if (debug_break_redo > 0 && ++pages_replayed % debug_break_redo == 0) {
        page[content_begin + 100] ^= std::byte{1};
    }
}

void define_developer_settings() {
    DefineCustomIntVariable("pagoda.debug_break_redo",
                            "Damages every n-th page that replay changes, for tests.", nullptr,
                            &debug_break_redo, 0, 0, INT_MAX, PGC_POSTMASTER,
                            GUC_NOT_IN_SAMPLE | GUC_NO_SHOW_ALL, nullptr, nullptr, nullptr);
}
#else
void break_page(PageBytes) {}
void define_developer_settings() {}
#endif

PageBytes bytes_of(Buffer buffer) {
    return PageBytes(reinterpret_cast<std::byte*>(BufferGetPage(buffer)), page_bytes);
}

// False when the main data is not a head of a version that this library knows.
bool read_head(XLogReaderState* record, RecordHead* head) {
    const auto* bytes = reinterpret_cast<const std::byte*>(XLogRecGetData(record));
    const size_t size = XLogRecGetDataLen(record);
    if (size < 2) return false;
    *head = {std::to_integer<uint8_t>(bytes[0]), std::to_integer<uint8_t>(bytes[1]),
             InvalidTransactionId};
    if (head->version != record_version || (head->flags & ~RecordFlags::known) != 0) return false;
    if ((head->flags & RecordFlags::has_horizon) == 0) return size == 2;
    if (size != record_head_max) return false;
    head->horizon = load<TransactionId>(bytes + 2);
    return true;
}

// The script of a page, empty when the record has an image in its place.
std::span<const std::byte> script_of(XLogReaderState* record, uint8 block_id) {
    Size size = 0;
    const char* data = XLogRecGetBlockData(record, block_id, &size);
    if (data == nullptr) return {};
    return std::as_bytes(std::span<const char>(data, size));
}

[[noreturn]] void fail_replay(XLogReaderState* record, uint8 block_id, const Error& error) {
    const PhysicalName name = logged_name_of(record, block_id);
    ereport(PANIC, (errcode(sqlstate_of(error.code)),
                    errmsg("could not replay a change of block %u of relation %u/%u/%u: expected "
                           "%s",
                           XLogRecGetBlock(record, block_id)->blkno, name.tablespace, name.database,
                           name.number, error.expected)));
    pg_unreachable();
}

// Locks the page and brings it up to date. The buffer is invalid when the page is gone.
Buffer replay_block(XLogReaderState* record, uint8 block_id, bool cleanup) {
    const bool init = (XLogRecGetBlock(record, block_id)->flags & BKPBLOCK_WILL_INIT) != 0;
    const ReadBufferMode mode = !init     ? RBM_NORMAL
                                : cleanup ? RBM_ZERO_AND_CLEANUP_LOCK
                                          : RBM_ZERO_AND_LOCK;
    Buffer buffer = InvalidBuffer;
    if (XLogReadBufferForRedoExtended(record, block_id, mode, cleanup, &buffer) != BLK_NEEDS_REDO) {
        return buffer;
    }
    const PageBytes page = bytes_of(buffer);
    const Status status = apply_script(page, script_of(record, block_id), page_transforms());
    if (!status) fail_replay(record, block_id, status.error());
    break_page(page);
    const XLogRecPtr lsn = record->EndRecPtr;
    Page server_page = BufferGetPage(buffer);
    PageSetLSN(server_page, lsn);
    MarkBufferDirty(buffer);
    return buffer;
}

// Keeps all pages locked until the last is done, so that a scan on a standby never sees half of an
// edit.
void replay(XLogReaderState* record) {
    RecordHead head;
    const int count = XLogRecMaxBlockId(record) + 1;
    if (count < 1 || count > static_cast<int>(PageEdit::pages_max) || !read_head(record, &head)) {
        ereport(PANIC, (errcode(ERRCODE_DATA_CORRUPTED),
                        errmsg("WAL record of Pagoda has a format that this version does not know"),
                        errhint("Update the library on this server before the one that it "
                                "receives WAL from.")));
    }
    if (head.horizon != InvalidTransactionId && InHotStandby) {
        end_queries_before(record, head.horizon, (head.flags & RecordFlags::is_catalog) != 0);
    }
    Buffer buffers[PageEdit::pages_max];
    for (int i = 0; i < count; i++) {
        const auto block_id = static_cast<uint8>(i);
        buffers[i] = replay_block(record, block_id, (head.flags & (1u << i)) != 0);
    }
    for (int i = count - 1; i >= 0; i--) {
        if (BufferIsValid(buffers[i])) UnlockReleaseBuffer(buffers[i]);
    }
}

void describe_block(StringInfo text, XLogReaderState* record, uint8 block_id) {
    std::span<const std::byte> script = script_of(record, block_id);
    appendStringInfo(text, "; page %d:", block_id);
    if (script.empty()) appendStringInfoString(text, " image");
    for (const char* separator = " "; !script.empty(); separator = ", ") {
        char operation[operation_text_bytes];
        describe_operation(script, operation);
        appendStringInfo(text, "%s%s", separator, operation);
    }
}

// Also called for records that cannot be replayed: it never fails.
void describe(StringInfo text, XLogReaderState* record) {
    RecordHead head;
    if (!read_head(record, &head)) {
        appendStringInfoString(text, "unknown format");
        return;
    }
    appendStringInfo(text, "version %u", head.version);
    if (head.horizon != InvalidTransactionId) appendStringInfo(text, " horizon %u", head.horizon);
    if ((head.flags & RecordFlags::is_catalog) != 0) appendStringInfoString(text, " catalog");
    if ((head.flags & RecordFlags::cleanup_mask) != 0) {
        appendStringInfo(text, " cleanup 0x%X", head.flags & RecordFlags::cleanup_mask);
    }
    for (int i = 0; i <= XLogRecMaxBlockId(record); i++) {
        if (XLogRecHasBlockRef(record, i)) describe_block(text, record, static_cast<uint8>(i));
    }
}

const char* identify(uint8 info) {
    return edit_kind_name(info >> 4);
}

// Takes out what may differ between two servers. The page may be of any state, zero included.
void mask(char* page_data, BlockNumber) {
    mask_page_lsn_and_checksum(page_data);
    const auto* header = reinterpret_cast<const PageHeaderData*>(page_data);
    const size_t lower = header->pd_lower, upper = header->pd_upper;
    if (lower < page_header_bytes || lower > upper || upper > page_bytes) return;
    std::memset(page_data + lower, 0, upper - lower);
}

constexpr RmgrData rmgr = {
    .rm_name = rmgr_name,
    .rm_redo = [](XLogReaderState* record) { boundary([=] { replay(record); }); },
    .rm_desc = [](StringInfo text,
                  XLogReaderState* record) { boundary([=] { describe(text, record); }); },
    .rm_identify = identify,
    .rm_startup = nullptr,
    .rm_cleanup = nullptr,
    .rm_mask = mask,
    .rm_decode = nullptr,
};

}  // namespace

TransformTable page_transforms() {
    return {};
}

void register_resource_manager() {
    RmgrData data = rmgr;  // the server takes a copy
    RegisterCustomRmgr(rmgr_id, &data);
    define_developer_settings();
}

// By name, because another library may have the number where ours is not preloaded.
bool own_records_allowed() {
    return RmgrIdExists(rmgr_id) && std::strcmp(RmgrTable[rmgr_id].rm_name, rmgr_name) == 0;
}

RmgrId resource_manager_id() {
    return rmgr_id;
}

}  // namespace pagoda

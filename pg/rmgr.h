// Our resource manager: WAL records that carry an edit as it is, so that replay runs the same
// scripts through the same interpreter. The server knows it only when `pagoda` is in
// shared_preload_libraries; a record may be written only then, because nothing else could replay
// it.
//
// A record is: info = kind of the edit; main data = head below; for each page a block reference in
// the order of the edit, which is the order in which replay locks, with the script as its data.
// Where the record has an image of a page, the script is missing or of no use.
#pragma once

#include "core/page/edit.h"
#include "pg/backend.h"

namespace pagoda {

inline constexpr uint8_t record_version = 1;

// Main data: the version, these flags, and where has_horizon says so the horizon, 4 bytes.
struct RecordFlags {
    static constexpr uint8_t cleanup_mask = 0x0F;  // bit i: replay takes a cleanup lock on page i
    static constexpr uint8_t has_horizon = 0x10;
    static constexpr uint8_t is_catalog = 0x20;
    static constexpr uint8_t known = 0x3F;
};
static_assert(PageEdit::pages_max <= 4);

struct RecordHead {
    uint8_t version;
    uint8_t flags;
    TransactionId horizon;
};
inline constexpr size_t record_head_max = 2 + sizeof(TransactionId);

// The head as it is logged; returns how many bytes.
inline size_t store_head(std::span<std::byte, record_head_max> bytes, const RecordHead& head) {
    bytes[0] = static_cast<std::byte>(head.version);
    bytes[1] = static_cast<std::byte>(head.flags);
    if ((head.flags & RecordFlags::has_horizon) == 0) return 2;
    store(bytes.data() + 2, head.horizon);
    return record_head_max;
}

// The pure functions that edits of this library may name.
TransformTable page_transforms();

// Registers the resource manager. For _PG_init while shared_preload_libraries are loaded; an error
// ends the start of the server.
void register_resource_manager();

// Whether this server can replay records of ours.
bool own_records_allowed();

// The number under which records of ours are written.
RmgrId resource_manager_id();

}  // namespace pagoda

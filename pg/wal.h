// Logging of edits, in one of three ways; the pages are the same after each.
//
// - A relation that needs no WAL (unlogged, temporary, created in this transaction under wal_level
//   = minimal) is changed in place.
// - Where our resource manager is registered (pg/rmgr.h), the scripts are the record.
// - Elsewhere generic WAL: the scripts run on private copies of the pages, one record carries the
//   difference, and recovery needs nothing of ours.
//
// Records of the last two may follow each other on one page in any order.
#pragma once

#include "core/page/edit.h"
#include "pg/backend.h"

namespace pagoda {

// Applies `edit` to its pages, which the caller has locked exclusively, and logs it as one record.
// On an error no page has changed.
[[nodiscard]] Status log_edit(Relation index, const PageEdit& edit);

}  // namespace pagoda

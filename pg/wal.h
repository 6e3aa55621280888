// Logging of edits. This version knows one way: generic WAL, which needs no preloaded library. The
// edit's scripts run on private copies of the pages; one record carries the difference of all of
// them, and recovery needs nothing of ours to replay it. Relations that need no WAL (unlogged,
// temporary, created in this transaction under wal_level = minimal) are changed without a record.
#pragma once

#include "core/page/edit.h"
#include "pg/backend.h"

namespace pagoda {

// Applies `edit` to its pages, which the caller has locked exclusively, and logs it as one record.
// On an error no page has changed.
[[nodiscard]] Status log_edit(Relation index, const PageEdit& edit);

}  // namespace pagoda

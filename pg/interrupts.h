// The points at which long work may be cancelled. Core calls its store's poll() with no page
// locked; the hosts of pg/ end up here.
#pragma once

#include "pg/backend.h"

namespace pagoda {

// The developer setting pagoda.debug_cancel_at_check and the checks counted since it was set.
extern int debug_cancel_at_check;
void reset_interrupt_checks(int new_setting, void* extra);

// Out of line: counts this check and raises query_canceled when it is the chosen one.
void count_interrupt_check();

// Leaves by ereport(ERROR) when the query was cancelled or the session ends.
inline void poll_interrupts() {
    CHECK_FOR_INTERRUPTS();
    if (unlikely(debug_cancel_at_check > 0)) count_interrupt_check();
}

}  // namespace pagoda

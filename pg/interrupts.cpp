// Cancellation at a chosen check, so that tests can cancel in every place where a user can.
#include "pg/interrupts.h"

namespace pagoda {

int debug_cancel_at_check = 0;
static int checks_seen = 0;

void reset_interrupt_checks(int, void*) {
    checks_seen = 0;
}

void count_interrupt_check() {
    // A real interrupt is not served while a page is locked, and such a check would be dead.
    if (InterruptHoldoffCount != 0) elog(ERROR, "interrupt check with a lock held");
    if (++checks_seen == debug_cancel_at_check) {
        ereport(ERROR, (errcode(ERRCODE_QUERY_CANCELED),
                        errmsg("canceling statement at interrupt check %d", checks_seen)));
    }
}

}  // namespace pagoda

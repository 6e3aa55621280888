// Assertions. check() states what the programmer promises; it is active in debug, test and fuzz
// builds. check_always() guards stored data and stays on everywhere. A failed check calls the host:
// tests abort, the server raises an internal error. Never use either on bytes read from a page or
// sent by a user: those give a Result.
#pragma once

namespace pagoda {

// Defined by the host (test/support/check_abort.cpp, pg/error.cpp). Does not return.
[[noreturn]] void check_failed(const char* expression, const char* file, int line);

}  // namespace pagoda

#define check_always(condition)             \
    (static_cast<bool>(condition) ? void(0) \
                                  : ::pagoda::check_failed(#condition, __FILE__, __LINE__))

#ifdef PAGODA_CHECKS
#define check(condition) check_always(condition)
#else
#define check(condition) void(sizeof(static_cast<bool>(condition)))
#endif

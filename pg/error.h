// How errors leave the extension. C++ exceptions stop at the boundary of every function that the
// server calls, because an exception that reaches the server's C frames ends the whole cluster.
// Errors that core reports as values become ereport(ERROR) here, and only here is it decided which
// SQLSTATE belongs to which core error.
//
// Nothing in this file may be called while an object with a non-trivial destructor is alive (page
// guards excepted): every raise is a longjmp and skips destructors.
#pragma once

#include "core/base/result.h"
#include "pg/backend.h"

namespace pagoda {

// The SQLSTATE (in the server's packed form) of a core error.
int sqlstate_of(ErrorCode code);

// Raises ERROR for a core error. `relation_name` may be nullptr; block and relation appear in the
// message when they are known.
[[noreturn]] void raise_error(const Error& error, const char* relation_name = nullptr);

// Raises ERROR for a C++ exception that was caught at the boundary. `what` is copied.
[[noreturn]] void raise_out_of_memory();
[[noreturn]] void raise_exception(const char* what);

// The value of a result, or ERROR.
template <class T>
T value_or_raise(const Result<T>& result, const char* relation_name = nullptr) {
    if (!result.ok()) raise_error(result.error(), relation_name);
    return result.value();
}

inline void ok_or_raise(const Status& status, const char* relation_name = nullptr) {
    if (!status.ok()) raise_error(status.error(), relation_name);
}

// Runs `body` and turns every C++ exception into ERROR. The exception object is destroyed before
// the error is raised. Costs nothing measurable when nothing is thrown.
template <class Body>
auto boundary(Body&& body) -> decltype(body()) {
    char what[256];
    bool out_of_memory = false;
    try {
        return body();
    } catch (const std::bad_alloc&) {
        out_of_memory = true;
    } catch (const std::exception& exception) {
        strlcpy(what, exception.what(), sizeof(what));
    } catch (...) {
        strlcpy(what, "unknown exception", sizeof(what));
    }
    if (out_of_memory) raise_out_of_memory();
    raise_exception(what);
}

}  // namespace pagoda

// Defines the SQL-callable function `name` (version-1 convention, exported, behind the boundary).
// The braces after the macro are its body; `fcinfo` is in scope:
//     PAGODA_SQL_FUNCTION(twice) { PG_RETURN_INT32(2 * PG_GETARG_INT32(0)); }
#define PAGODA_SQL_FUNCTION(name)                                            \
    extern "C" {                                                             \
    PG_FUNCTION_INFO_V1(name);                                               \
    PGDLLEXPORT Datum name(PG_FUNCTION_ARGS);                                \
    }                                                                        \
    static Datum name##_body(FunctionCallInfo fcinfo);                       \
    Datum name(PG_FUNCTION_ARGS) {                                           \
        return ::pagoda::boundary([fcinfo] { return name##_body(fcinfo); }); \
    }                                                                        \
    static Datum name##_body([[maybe_unused]] FunctionCallInfo fcinfo)

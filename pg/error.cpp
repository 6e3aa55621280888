// Maps core errors to SQLSTATEs and raises them; the server's side of check().
#include "pg/error.h"

#include "core/base/check.h"

namespace pagoda {

int sqlstate_of(ErrorCode code) {
    switch (code) {
        case ErrorCode::none:
            break;
        case ErrorCode::corrupt_page:
            return ERRCODE_INDEX_CORRUPTED;
        case ErrorCode::unknown_version:
            return ERRCODE_FEATURE_NOT_SUPPORTED;
        case ErrorCode::invalid_argument:
            return ERRCODE_INVALID_PARAMETER_VALUE;
        case ErrorCode::out_of_range:
            return ERRCODE_NUMERIC_VALUE_OUT_OF_RANGE;
        case ErrorCode::too_large:
            return ERRCODE_PROGRAM_LIMIT_EXCEEDED;
        case ErrorCode::dimension_mismatch:
        case ErrorCode::not_finite:
            return ERRCODE_DATA_EXCEPTION;
        case ErrorCode::no_space:
            return ERRCODE_OUT_OF_MEMORY;
        case ErrorCode::invalid_syntax:
            return ERRCODE_INVALID_TEXT_REPRESENTATION;
    }
    return ERRCODE_INTERNAL_ERROR;
}

// The category in words; `expected` of the error completes the sentence.
static const char* title_of(ErrorCode code) {
    switch (code) {
        case ErrorCode::none:
            break;
        case ErrorCode::corrupt_page:
            return "index is corrupted";
        case ErrorCode::unknown_version:
            return "index format is not supported";
        case ErrorCode::invalid_argument:
            return "invalid argument";
        case ErrorCode::out_of_range:
            return "value out of range";
        case ErrorCode::too_large:
            return "limit exceeded";
        case ErrorCode::dimension_mismatch:
            return "different dimensions";
        case ErrorCode::not_finite:
            return "value is not finite";
        case ErrorCode::no_space:
            return "not enough memory";
        case ErrorCode::invalid_syntax:
            return "invalid syntax";
    }
    return "internal error";
}

void raise_error(const Error& error, const char* relation_name) {
    const char* title = title_of(error.code);
    const int sqlstate = sqlstate_of(error.code);
    if (relation_name != nullptr && error.block != no_block) {
        ereport(ERROR, (errcode(sqlstate), errmsg("%s: index \"%s\", block %u: %s", title,
                                                  relation_name, error.block, error.expected)));
    }
    if (relation_name != nullptr) {
        ereport(ERROR, (errcode(sqlstate),
                        errmsg("%s: index \"%s\": %s", title, relation_name, error.expected)));
    }
    if (error.block != no_block) {
        ereport(ERROR, (errcode(sqlstate),
                        errmsg("%s: block %u: %s", title, error.block, error.expected)));
    }
    ereport(ERROR, (errcode(sqlstate), errmsg("%s: %s", title, error.expected)));
    pg_unreachable();
}

void raise_out_of_memory() {
    ereport(ERROR, (errcode(ERRCODE_OUT_OF_MEMORY), errmsg("out of memory")));
    pg_unreachable();
}

void raise_exception(const char* what) {
    ereport(ERROR, (errcode(ERRCODE_INTERNAL_ERROR), errmsg("unexpected C++ exception: %s", what)));
    pg_unreachable();
}

// Core frames own nothing, so the server may leave them by longjmp as it leaves its own code after
// an internal error.
void check_failed(const char* expression, const char* file, int line) {
    elog(ERROR, "check failed: %s (%s:%d)", expression, file, line);
    pg_unreachable();
}

}  // namespace pagoda

// Errors as values. C++20 has no std::expected; this is the small part of it that core needs.
// An Error carries a code, the block it concerns (or no_block) and a static text that says what was
// expected; it owns nothing, so it may cross a host call.
#pragma once

#include <cstdint>

#include "core/base/check.h"

namespace pagoda {

enum class ErrorCode : uint8_t {
    none = 0,
    corrupt_page,        // bytes on a page contradict the format
    unknown_version,     // a page or index of a format this library does not read
    invalid_argument,    // a value that the caller was given by a user
    out_of_range,        // a number that does not fit its type
    too_large,           // a limit of the format is exceeded
    dimension_mismatch,  // vectors of different length
    not_finite,          // NaN or infinity where none is allowed
    no_space,            // the memory that the caller gave is too small
    invalid_syntax,      // text or binary input that cannot be read
};

inline constexpr uint32_t no_block = 0xFFFFFFFFu;

struct Error {
    ErrorCode code = ErrorCode::none;
    uint32_t block = no_block;
    const char* expected = "";  // static storage
};

// A value of type T or an Error. T is trivially copyable in all uses that cross a host call.
template <class T>
class [[nodiscard]] Result {
  public:
    Result(T value) : value_(value) {}
    Result(Error error) : error_(error) { check(error.code != ErrorCode::none); }

    bool ok() const { return error_.code == ErrorCode::none; }
    explicit operator bool() const { return ok(); }
    const T& value() const {
        check(ok());
        return value_;
    }
    const Error& error() const {
        check(!ok());
        return error_;
    }

  private:
    T value_{};
    Error error_{};
};

// A Result without a value.
template <>
class [[nodiscard]] Result<void> {
  public:
    Result() = default;
    Result(Error error) : error_(error) { check(error.code != ErrorCode::none); }

    bool ok() const { return error_.code == ErrorCode::none; }
    explicit operator bool() const { return ok(); }
    const Error& error() const {
        check(!ok());
        return error_;
    }

  private:
    Error error_{};
};

using Status = Result<void>;

}  // namespace pagoda

// How the tool reports trouble: an exception with a sentence for the user. Thrown where a file, an
// argument or the server is at fault, caught once in main, which turns it into an exit code.
#pragma once

#include <stdexcept>
#include <string>

namespace pagoda::tool {

enum ExitCode : int { exit_success = 0, exit_failure = 1, exit_usage = 2 };

struct Failure : std::runtime_error {
    explicit Failure(const std::string& message) : std::runtime_error(message) {}
};

// The command line itself is wrong: main adds a hint at --help and exits with exit_usage.
struct UsageFailure : Failure {
    explicit UsageFailure(const std::string& message) : Failure(message) {}
};

}  // namespace pagoda::tool

// The host side of check() for programs that are not the server: say what failed and abort.
#include <cstdio>
#include <cstdlib>

#include "core/base/check.h"

namespace pagoda {

void check_failed(const char* expression, const char* file, int line) {
    std::fprintf(stderr, "%s:%d: check failed: %s\n", file, line, expression);
    std::abort();
}

}  // namespace pagoda

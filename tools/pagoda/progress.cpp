// Progress: rewrites one line when the whole percentage changes.
#include "tools/pagoda/progress.h"

#include <unistd.h>

#include <cstdio>
#include <utility>

namespace pagoda::tool {

Progress::Progress(std::string what, size_t total)
    : what_(std::move(what)), total_(total), is_terminal_(isatty(STDERR_FILENO) == 1) {
    advance(0);
}

Progress::~Progress() {
    if (is_terminal_) std::fprintf(stderr, "\r\033[K");
}

void Progress::advance(size_t steps) {
    const std::lock_guard lock(mutex_);
    done_ += steps;
    const size_t percent = total_ == 0 ? 100 : done_ * 100 / total_;
    if (!is_terminal_ || percent == shown_percent_) return;
    shown_percent_ = percent;
    std::fprintf(stderr, "\r\033[K%s: %zu %%", what_.c_str(), percent);
}

}  // namespace pagoda::tool

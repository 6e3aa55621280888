// A progress line on standard error; silent when that is not a terminal. Safe from many threads.
#pragma once

#include <cstddef>
#include <mutex>
#include <string>

namespace pagoda::tool {

class Progress {
  public:
    Progress(std::string what, size_t total);
    ~Progress();  // clears the line
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void advance(size_t steps);

  private:
    std::string what_;
    size_t total_;
    size_t done_ = 0;
    size_t shown_percent_ = 101;
    bool is_terminal_;
    std::mutex mutex_;
};

}  // namespace pagoda::tool

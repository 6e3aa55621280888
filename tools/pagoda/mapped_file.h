// A whole file mapped into memory, read-only. The file must not shrink while it is mapped.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace pagoda::tool {

class MappedFile {
  public:
    // Throws Failure when the file cannot be opened or mapped.
    explicit MappedFile(const std::string& path);
    ~MappedFile();
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&& other) noexcept;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    std::span<const std::byte> bytes() const { return {address_, size_}; }

  private:
    const std::byte* address_ = nullptr;
    size_t size_ = 0;
};

bool file_exists(const std::string& path);

}  // namespace pagoda::tool

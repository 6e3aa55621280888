// MappedFile over open, fstat and mmap. An empty file is an empty span: mmap refuses length 0.
#include "tools/pagoda/mapped_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "tools/pagoda/failure.h"

namespace pagoda::tool {

MappedFile::MappedFile(const std::string& path) {
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) throw Failure("cannot open " + path + ": " + std::strerror(errno));
    struct stat status {};
    void* address = nullptr;
    bool mapped = fstat(file, &status) == 0 && S_ISREG(status.st_mode);
    if (mapped && status.st_size > 0) {
        address = mmap(nullptr, size_t(status.st_size), PROT_READ, MAP_PRIVATE, file, 0);
        mapped = address != MAP_FAILED;
    }
    close(file);
    if (!mapped) throw Failure("cannot read " + path + ": not a regular file that can be mapped");
    address_ = static_cast<const std::byte*>(address);
    size_ = size_t(status.st_size);
}

MappedFile::~MappedFile() {
    if (address_ != nullptr) munmap(const_cast<std::byte*>(address_), size_);
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : address_(std::exchange(other.address_, nullptr)), size_(std::exchange(other.size_, 0)) {}

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
    std::swap(address_, other.address_);
    std::swap(size_, other.size_);
    return *this;
}

bool file_exists(const std::string& path) {
    return access(path.c_str(), R_OK) == 0;
}

}  // namespace pagoda::tool

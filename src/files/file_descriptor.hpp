#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <utility>

#include "files/transfer.hpp"

namespace shortfall::io {

/// Owns an open file, or none (-1).
class FileDescriptor {
 public:
  explicit FileDescriptor(int descriptor = -1) : descriptor_(descriptor) {}
  FileDescriptor(FileDescriptor&& other) noexcept : descriptor_(other.release()) {}
  FileDescriptor& operator=(FileDescriptor&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~FileDescriptor() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }

  int get() const { return descriptor_; }
  bool is_open() const { return descriptor_ >= 0; }
  int release() { return std::exchange(descriptor_, -1); }

 private:
  int descriptor_;
};

/// Not open, with errno set, on failure. No program that this one starts inherits the file.
inline FileDescriptor open_file(const char* path, int flags, mode_t mode = 0) {
  return FileDescriptor(uninterrupted([&] { return ::open(path, flags | O_CLOEXEC, mode); }));
}

}  // namespace shortfall::io

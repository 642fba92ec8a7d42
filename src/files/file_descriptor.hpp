#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

namespace shortfall::io {

/// Makes a call that returns a negative number and sets errno on failure, until no signal
/// interrupts it. What follows also goes on where a pipe that does not block is full or empty for
/// the moment: another program may have made standard output such a pipe.
template <class Call>
auto uninterrupted(const Call& call) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

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

/// The accepted inputs, for messages.
inline constexpr std::string_view accepted_input = "a text file, or - for standard input";

/// Whether a path means standard input.
bool is_standard_input(std::string_view path);

/// Throws InvalidInput with the reason why the input `name` cannot be read; `error` is an errno.
[[noreturn]] void reject_input(const std::string& name, int error,
                               std::string_view accepted = accepted_input);

/// Opens `path` for reading; `-` or `/dev/stdin` is standard input, from its current position.
/// Throws InvalidInput: missing, a directory, not readable.
FileDescriptor open_input(const std::string& path, std::string_view accepted = accepted_input);

/// Fills `bytes` from `offset` of the open file, whose position does not change. False if the file
/// ends before. Throws InvalidInput, with `name` for the file, if it cannot be read.
[[nodiscard]] bool read_at(std::uint64_t offset, std::span<char> bytes, int descriptor,
                           const std::string& name);

/// The same in parallel, for many bytes.
[[nodiscard]] bool read_blocks_at(std::uint64_t offset, std::span<char> bytes, int descriptor,
                                  const std::string& name);

/// Throws InvalidInput: the file had `size` bytes when it was opened, and is shorter now.
[[noreturn]] void reject_cut_short(const std::string& name, std::uint64_t size);

/// Writes all bytes, however many the system takes at a time. False with errno set on failure.
[[nodiscard]] bool write_all(int descriptor, std::string_view bytes);

/// Like read(): waits for bytes, and returns their number, 0 at the end, or -1 with errno set.
long read_some(int descriptor, char* bytes, std::size_t size);

/// The same at an offset of a file, whose position does not change.
long read_some_at(int descriptor, char* bytes, std::size_t size, long offset);

}  // namespace shortfall::io

#include "files/file_descriptor.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <system_error>

#include "files/input_file.hpp"
#include "parallel/threads.hpp"
#include "text/text.hpp"

namespace shortfall::io {

bool is_standard_input(std::string_view path) {
  return path == "-" || path == "/dev/stdin";
}

void reject_input(const std::string& name, int error, std::string_view accepted) {
  const std::string reason = error == ENOENT   ? "there is no such file"
                             : error == EISDIR ? "this is a directory"
                             : error == EBADF  ? "it is not open for reading"
                                               : std::generic_category().message(error);
  reject({.file = name}, reason, accepted);
}

FileDescriptor open_input(const std::string& path, std::string_view accepted) {
  const std::string name = input_name(path);
  // Standard input is read from its current position; opening it again would start at the
  // beginning.
  FileDescriptor file = is_standard_input(path)
                            ? FileDescriptor(::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0))
                            : open_file(path.c_str(), O_RDONLY);
  if (!file.is_open()) reject_input(name, errno, accepted);
  if ((::fcntl(file.get(), F_GETFL) & O_ACCMODE) == O_WRONLY) reject_input(name, EBADF, accepted);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) reject_input(name, errno, accepted);
  if (S_ISDIR(status.st_mode)) reject_input(name, EISDIR, accepted);
  return file;
}

namespace {

constexpr std::size_t block_bytes = std::size_t{1} << 20;  // read by one task

}  // namespace

bool read_at(std::uint64_t offset, std::span<char> bytes, int descriptor, const std::string& name) {
  while (!bytes.empty()) {
    const long count =
        read_some_at(descriptor, bytes.data(), bytes.size(), static_cast<long>(offset));
    if (count < 0) reject_input(name, errno);
    if (count == 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return true;
}

bool read_blocks_at(std::uint64_t offset, std::span<char> bytes, int descriptor,
                    const std::string& name) {
  const std::size_t blocks = (bytes.size() + block_bytes - 1) / block_bytes;
  std::atomic<bool> complete = true;
  detail::parallel_for(blocks, [&](std::size_t k) {
    const std::size_t begin = k * block_bytes;
    const auto block = bytes.subspan(begin, std::min(block_bytes, bytes.size() - begin));
    if (!read_at(offset + begin, block, descriptor, name)) complete = false;
  });
  return complete;
}

void reject_cut_short(const std::string& name, std::uint64_t size) {
  reject({.file = name}, fmt::format("it had {} bytes, and was truncated while it was read", size),
         "a file that is not being written");
}

namespace {

/// After a call that failed: true if it should be made again, now that the descriptor is ready.
bool is_ready_again(int descriptor, short events) {
  if (errno == EINTR) return true;
  if (errno != EAGAIN && errno != EWOULDBLOCK) return false;
  pollfd ready{.fd = descriptor, .events = events, .revents = 0};
  return uninterrupted([&] { return ::poll(&ready, 1, -1); }) > 0;
}

template <class Call>
long repeated(int descriptor, short events, const Call& call) {
  for (;;) {
    const long count = call();
    if (count >= 0 || !is_ready_again(descriptor, events)) return count;
  }
}

}  // namespace

bool write_all(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const long count = repeated(descriptor, POLLOUT,
                                [&] { return ::write(descriptor, bytes.data(), bytes.size()); });
    if (count < 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

long read_some(int descriptor, char* bytes, std::size_t size) {
  return repeated(descriptor, POLLIN, [&] { return ::read(descriptor, bytes, size); });
}

long read_some_at(int descriptor, char* bytes, std::size_t size, long offset) {
  return repeated(descriptor, POLLIN, [&] { return ::pread(descriptor, bytes, size, offset); });
}

}  // namespace shortfall::io

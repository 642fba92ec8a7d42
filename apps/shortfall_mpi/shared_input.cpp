#include "apps/shortfall_mpi/shared_input.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <system_error>
#include <vector>

#include "errors/require.hpp"
#include "files/file_descriptor.hpp"
#include "files/transfer.hpp"

namespace shortfall::app {
namespace {

/// Also as the value in --policy=-.
bool names_standard_input(std::string_view argument) {
  const std::string_view value = argument.substr(argument.find('=') + 1);
  return argument == "-" || value == "-" || value == "/dev/stdin" || value == "/dev/fd/0" ||
         value == "/proc/self/fd/0";
}

void check_call(bool succeeded, const char* what) {
  const std::error_code error(errno, std::generic_category());
  require(succeeded, "standard input: {}: {}", what, error.message());
}

/// Reads until the end or until `window` is full; returns the number of bytes.
std::size_t read_standard_input(std::span<std::byte> window) {
  std::size_t size = 0;
  while (size < window.size()) {
    const long count = io::read_some(STDIN_FILENO, reinterpret_cast<char*>(window.data()) + size,
                                     window.size() - size);
    check_call(count >= 0, "cannot be read");
    if (count == 0) break;
    size += static_cast<std::size_t>(count);
  }
  return size;
}

void append(std::span<const std::byte> bytes, const io::FileDescriptor& file) {
  const std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  check_call(io::write_all(file.get(), text), "cannot be copied");
}

/// A file without a name, so that what is copied there is read like any redirected file.
io::FileDescriptor open_copy() {
  io::FileDescriptor file(::memfd_create("standard input", 0));
  check_call(file.is_open(), "cannot be copied");
  return file;
}

void make_standard_input(const io::FileDescriptor& file) {
  check_call(::lseek(file.get(), 0, SEEK_SET) == 0 && ::dup2(file.get(), STDIN_FILENO) >= 0,
             "cannot be copied");
}

}  // namespace

void share_standard_input(int argc, char** argv, const Processes& processes) {
  detail::Communicator& ranks = processes.communicator();
  if (ranks.size() == 1 || std::none_of(argv + 1, argv + argc, names_standard_input)) return;
  const io::FileDescriptor copy = processes.together(open_copy);
  std::vector<std::byte> window(std::size_t{1} << 20);
  while (true) {
    std::size_t count = 0;
    processes.on_first([&] { count = read_standard_input(window); });
    count = ranks.sum(std::uint64_t{count});  // others have read nothing
    if (count == 0) break;
    std::vector<std::size_t> begin(ranks.size() + 1, count);
    begin.front() = 0;
    ranks.gather(std::span(window).first(count), begin);
    processes.together([&] { append(std::span(window).first(count), copy); });
  }
  processes.together([&] { make_standard_input(copy); });
}

}  // namespace shortfall::app

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

#include "files/file_descriptor.hpp"
#include "require.hpp"

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

std::vector<std::byte> read_standard_input() {
  std::vector<std::byte> bytes;
  std::vector<std::byte> window(std::size_t{1} << 20);
  while (true) {
    const ssize_t count = ::read(STDIN_FILENO, window.data(), window.size());
    if (count < 0 && errno == EINTR) continue;
    check_call(count >= 0, "cannot be read");
    if (count == 0) return bytes;
    bytes.insert(bytes.end(), window.begin(), window.begin() + count);
  }
}

/// As a file without a name, so that it is read like any redirected file.
void make_standard_input(std::span<const std::byte> bytes) {
  const io::FileDescriptor file(::memfd_create("standard input", 0));
  check_call(file.is_open(), "cannot be copied");
  while (!bytes.empty()) {
    const ssize_t count = ::write(file.get(), bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    check_call(count > 0, "cannot be copied");
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
  check_call(::lseek(file.get(), 0, SEEK_SET) == 0 && ::dup2(file.get(), STDIN_FILENO) >= 0,
             "cannot be copied");
}

}  // namespace

void share_standard_input(int argc, char** argv, const Processes& processes) {
  detail::Communicator& ranks = processes.communicator();
  if (ranks.size() == 1 || std::none_of(argv + 1, argv + argc, names_standard_input)) return;
  std::vector<std::byte> bytes;
  processes.on_first([&] { bytes = read_standard_input(); });
  const std::uint64_t size = ranks.sum(std::uint64_t{bytes.size()});
  processes.together([&] { bytes.resize(size); });
  std::vector<std::size_t> begin(ranks.size() + 1, size);
  begin.front() = 0;
  ranks.gather(std::span(bytes), begin);
  processes.together([&] { make_standard_input(bytes); });
}

}  // namespace shortfall::app

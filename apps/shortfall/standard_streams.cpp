#include "apps/shortfall/standard_streams.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstdlib>

#include "files/atomic_file.hpp"
#include "files/transfer.hpp"

namespace shortfall::app {
namespace {

bool is_open(int descriptor) {
  return ::fcntl(descriptor, F_GETFD) >= 0 || errno != EBADF;
}

bool is_writable(int descriptor) {
  const int flags = ::fcntl(descriptor, F_GETFL);
  if (flags < 0) return errno != EBADF;  // a write will show
  return (flags & O_ACCMODE) != O_RDONLY;
}

/// Opens /dev/null on a closed descriptor. Those below it are open, so open() returns this one.
void fill(int descriptor, int flags) {
  if (is_open(descriptor)) return;
  if (io::uninterrupted([&] { return ::open("/dev/null", flags); }) == descriptor) return;
  std::_Exit(2);  // there may be no stream to report it on
}

}  // namespace

void prepare_standard_streams() {
  const bool has_output = is_writable(STDOUT_FILENO);
  fill(STDIN_FILENO, O_WRONLY);  // so that reads fail: end of file would look like empty input
  fill(STDOUT_FILENO, O_WRONLY);
  fill(STDERR_FILENO, O_WRONLY);
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGCHLD, SIG_DFL);
  if (!has_output) {
    throw io::OutputError("standard output is closed; accepted: an open one, such as /dev/null");
  }
}

}  // namespace shortfall::app

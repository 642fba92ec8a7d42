#include "files/transfer.hpp"

#include <poll.h>
#include <unistd.h>

namespace shortfall::io {
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

#pragma once

#include <cerrno>
#include <cstddef>
#include <string_view>

/// System calls that go on where the system only asks to try again: after a signal, or on a pipe
/// that does not block and is full or empty for the moment. Another program may have made standard
/// output such a pipe.
namespace shortfall::io {

/// Makes a call that returns a negative number and sets errno on failure, until no signal
/// interrupts it.
template <class Call>
auto uninterrupted(const Call& call) {
  for (;;) {
    const auto result = call();
    if (result >= 0 || errno != EINTR) return result;
  }
}

/// Writes all bytes, however many the system takes at a time. False with errno set on failure.
[[nodiscard]] bool write_all(int descriptor, std::string_view bytes);

/// Like read(): waits for bytes, and returns their number, 0 at the end, or -1 with errno set.
long read_some(int descriptor, char* bytes, std::size_t size);

/// The same at an offset of a file, whose position does not change.
long read_some_at(int descriptor, char* bytes, std::size_t size, long offset);

}  // namespace shortfall::io

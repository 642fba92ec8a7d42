#include "io/fingerprint.hpp"

#include <sys/types.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include <fmt/format.h>

#include "io/open_input.hpp"
#include "shortfall/io/csv.hpp"

namespace shortfall::io {

std::uint32_t fingerprint_before(std::uint64_t offset, int descriptor, const std::string& name) {
  std::array<unsigned char, 4096> bytes{};
  const std::size_t size = std::min<std::uint64_t>(bytes.size(), offset);
  std::size_t read = 0;
  while (read < size) {
    const ssize_t count = ::pread(descriptor, bytes.data() + read, size - read,
                                  static_cast<off_t>(offset - size + read));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) reject_input(name, errno);
    if (count == 0) {
      reject({.file = name}, fmt::format("the file has no {} bytes any more", offset),
             "a file that may grow but not shrink");
    }
    read += static_cast<std::size_t>(count);
  }
  return static_cast<std::uint32_t>(
      ::crc32(::crc32(0, nullptr, 0), bytes.data(), static_cast<unsigned>(size)));
}

}  // namespace shortfall::io

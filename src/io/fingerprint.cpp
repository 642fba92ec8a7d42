#include "io/fingerprint.hpp"

#include <fmt/format.h>
#include <sys/types.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <span>

#include "io/checksum.hpp"
#include "io/open_input.hpp"
#include "shortfall/io/csv.hpp"

namespace shortfall::io {
namespace {

/// Fills `bytes` from `offset` on. False where the file ends before.
bool read_at(std::uint64_t offset, std::span<char> bytes, int descriptor, const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t count =
        ::pread(descriptor, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) reject_input(name, errno);
    if (count == 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(count));
    offset += static_cast<std::uint64_t>(count);
  }
  return true;
}

}  // namespace

std::uint32_t fingerprint_before(std::uint64_t offset, int descriptor, const std::string& name) {
  std::array<char, 4096> buffer{};
  const auto bytes = std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), offset));
  std::uint32_t sum = 0;
  for (const std::uint64_t begin : {std::uint64_t{0}, offset - bytes.size()}) {
    if (!read_at(begin, bytes, descriptor, name)) {
      reject({.file = name}, fmt::format("the file has no {} bytes any more", offset),
             "a file that may grow but not shrink");
    }
    sum = checksum({bytes.data(), bytes.size()}, sum);
  }
  return sum;
}

}  // namespace shortfall::io

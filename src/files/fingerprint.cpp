#include "files/fingerprint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "files/checksum.hpp"
#include "files/file_descriptor.hpp"
#include "text/text.hpp"

namespace shortfall::io {

std::uint32_t fingerprint_before(std::uint64_t offset, int descriptor, const std::string& name) {
  std::array<char, 4096> buffer{};
  const auto bytes = std::span(buffer).first(std::min<std::uint64_t>(buffer.size(), offset));
  std::uint32_t sum = 0;
  for (const std::uint64_t begin : {std::uint64_t{0}, offset - bytes.size()}) {
    if (!read_at(begin, bytes, descriptor, name)) {
      reject({.file = name}, fmt::format("the file is now shorter than {} bytes", offset),
             "a file that may grow but not shrink");
    }
    sum = checksum({bytes.data(), bytes.size()}, sum);
  }
  return sum;
}

}  // namespace shortfall::io

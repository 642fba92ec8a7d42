#include "tests/fuzz/seals.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

#include "files/checksum.hpp"
#include "formats/binary_model_header.hpp"

namespace shortfall::fuzz {
namespace {

template <class T>
void put(std::string& bytes, std::size_t at, const T& value) {
  std::memcpy(bytes.data() + at, &value, sizeof value);
}

}  // namespace

std::string resealed(std::string_view file) {
  constexpr std::array<std::string_view, 2> first_lines = {"shortfall checkpoint\n",
                                                           "shortfall inventory solution\n"};
  std::string bytes(file);
  for (const std::string_view line : first_lines) {
    const std::size_t size_at = line.size() + sizeof(std::uint32_t);
    const std::size_t begin = size_at + sizeof(std::uint64_t);
    if (!file.starts_with(line) || file.size() < begin + sizeof(std::uint32_t)) continue;
    const std::size_t end = file.size() - sizeof(std::uint32_t);
    put(bytes, size_at, std::uint64_t{end - begin});
    put(bytes, end, io::checksum(std::string_view(bytes).substr(0, end)));
  }
  return bytes;
}

std::string resealed_model(std::string_view file) {
  io::BinaryModelHeader header{};
  std::string bytes(file);
  if (bytes.size() < sizeof header) return bytes;
  std::memcpy(&header, bytes.data(), sizeof header);
  std::vector<std::uint32_t> checksums;
  for (const io::SectionPlace& place : header.sections) {
    if (place.offset > bytes.size() || place.bytes > bytes.size() - place.offset) return bytes;
    const std::vector<std::uint32_t> more = io::block_checksums(std::span(bytes).subspan(
        static_cast<std::size_t>(place.offset), static_cast<std::size_t>(place.bytes)));
    checksums.insert(checksums.end(), more.begin(), more.end());
  }
  const std::string_view sealed(reinterpret_cast<const char*>(checksums.data()),
                                checksums.size() * sizeof(std::uint32_t));
  if (sealed.size() > bytes.size() - sizeof header) return bytes;
  std::memcpy(bytes.data() + sizeof header, sealed.data(), sealed.size());
  header.checksum_of_checksums = io::checksum(sealed);
  put(bytes, 0, header);
  constexpr std::size_t header_seal = offsetof(io::BinaryModelHeader, checksum_of_header);
  put(bytes, header_seal, io::checksum(std::string_view(bytes).substr(0, header_seal)));
  return bytes;
}

std::string with_zeros(std::string_view bytes) {
  constexpr std::size_t most = std::size_t{1} << 20;
  std::string result;
  for (std::size_t i = 0; i < bytes.size() && result.size() < most; ++i) {
    result += bytes[i];
    if (bytes[i] != '\0' || bytes.size() - i <= sizeof(std::uint16_t)) continue;
    std::uint16_t zeros = 0;
    std::memcpy(&zeros, bytes.data() + i + 1, sizeof zeros);
    result.append(std::min<std::size_t>(zeros, most - result.size()), '\0');
    i += sizeof zeros;
  }
  return result;
}

std::string resealed_document(std::string_view text) {
  constexpr std::string_view key = "\"checksum\"";
  constexpr std::size_t digits = 8;
  std::string sealed(text);
  const std::size_t at = sealed.rfind(key);
  if (at == std::string::npos) return sealed;
  const std::size_t quote = sealed.find('"', at + key.size());
  if (quote == std::string::npos || sealed.size() - quote <= digits) return sealed;
  sealed.replace(quote + 1, digits, digits, '0');
  return sealed.replace(quote + 1, digits, fmt::format("{:08x}", io::checksum(sealed)));
}

}  // namespace shortfall::fuzz

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Files of bytes that are recognised as damaged: a line of text that identifies the format, a
/// version, the bytes and a CRC-32.
namespace shortfall::io {

struct SealedFormat {
  std::string_view first_line;     ///< with its end
  std::string_view name;           ///< for messages: "checkpoint"
  std::string_view accepted;       ///< for messages
  std::uint32_t version;           ///< that is written
  std::uint32_t oldest = version;  ///< that is read
};

struct Sealed {
  std::string bytes;
  std::uint32_t version;  ///< of the format, from oldest to version
};

/// Writes a temporary file that is flushed to the disk and renamed. Throws OutputError.
void write_sealed(const std::string& path, const SealedFormat& format, std::string_view bytes);

/// The bytes; nothing if the file does not exist. Throws InvalidInput if the file has another
/// format or a version that is not read, is truncated, or does not match its checksum.
std::optional<Sealed> read_sealed(const std::string& path, const SealedFormat& format);

}  // namespace shortfall::io

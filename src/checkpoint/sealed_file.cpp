#include "checkpoint/sealed_file.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "files/atomic_file.hpp"
#include "files/checksum.hpp"
#include "files/input_file.hpp"
#include "shortfall/checkpoint/checkpoint.hpp"
#include "text/text.hpp"

namespace shortfall::io {
namespace {

/// Takes a number off the front; 0 if there are too few bytes.
template <class T>
T take(std::string_view& bytes) {
  T value{};
  if (bytes.size() < sizeof value) {
    bytes = {};
    return value;
  }
  std::memcpy(&value, bytes.data(), sizeof value);
  bytes.remove_prefix(sizeof value);
  return value;
}

/// The whole file. Rejects a file with another first line before reading the rest.
std::string read_sealed_file(const std::string& path, const SealedFormat& format) {
  std::string content = whole_file(path, format.first_line, format.accepted);
  if (!content.starts_with(format.first_line)) {
    reject({.file = path}, fmt::format("this is not a {}", format.name), format.accepted);
  }
  return content;
}

}  // namespace

void write_sealed(const std::string& path, const SealedFormat& format, std::string_view bytes) {
  StateWriter envelope;
  envelope(format.version);
  envelope(std::uint64_t{bytes.size()});
  StateWriter seal;
  seal(checksum(bytes, checksum(envelope.bytes(), checksum(format.first_line))));
  AtomicFile file(path);
  for (const std::string_view part : {format.first_line, std::string_view(envelope.bytes()), bytes,
                                      std::string_view(seal.bytes())}) {
    file.write(part);
  }
  file.commit();
}

std::optional<Sealed> read_sealed(const std::string& path, const SealedFormat& format) {
  if (::access(path.c_str(), F_OK) != 0 && errno == ENOENT) return std::nullopt;
  std::string content = read_sealed_file(path, format);
  std::string_view rest = content;
  rest.remove_prefix(format.first_line.size());
  const auto found = take<std::uint32_t>(rest);
  if ((found < format.oldest || found > format.version) && !rest.empty()) {
    reject({.file = path},
           fmt::format("this is a {} of version {}, written by {} shortfall", format.name, found,
                       found < format.version ? "an older" : "a newer"),
           fmt::format(
               "version {}{}; use the shortfall that wrote it, or start over with another file",
               format.oldest < format.version ? fmt::format("{} to ", format.oldest) : "",
               format.version));
  }
  const auto size = take<std::uint64_t>(rest);
  if (rest.size() < sizeof(std::uint32_t) || size != rest.size() - sizeof(std::uint32_t)) {
    reject({.file = path}, fmt::format("the {} is truncated or has extra bytes", format.name),
           format.accepted);
  }
  const std::size_t begin = content.size() - rest.size();
  rest.remove_prefix(size);
  const std::size_t sealed = content.size() - sizeof(std::uint32_t);
  if (take<std::uint32_t>(rest) != checksum(std::string_view(content).substr(0, sealed))) {
    reject({.file = path},
           fmt::format("the {} is damaged: its checksum does not match", format.name),
           format.accepted);
  }
  content.resize(sealed);
  content.erase(0, begin);
  return Sealed{std::move(content), found};
}

}  // namespace shortfall::io

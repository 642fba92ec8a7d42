#include "shortfall/checkpoint/checkpoint.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include "files/atomic_file.hpp"
#include "files/checksum.hpp"
#include "text/place.hpp"

namespace shortfall::io {
namespace {

constexpr std::string_view first_line = "shortfall checkpoint\n";
constexpr std::string_view accepted_checkpoint =
    "a checkpoint written by shortfall, or a file that does not exist yet";
constexpr std::uint32_t version = 1;

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

[[noreturn]] void reject_unreadable(const std::string& path) {
  reject({.file = path}, "it cannot be read: " + std::generic_category().message(errno),
         accepted_checkpoint);
}

/// The whole file. Rejects a file with another first line before reading the rest.
std::string read_checkpoint_file(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) reject_unreadable(path);
  if (!S_ISREG(status.st_mode))
    reject({.file = path}, "this is not a regular file", accepted_checkpoint);
  std::ifstream file(path, std::ios::binary);
  std::string content(first_line.size(), '\0');
  file.read(content.data(), static_cast<std::streamsize>(content.size()));
  if (content != first_line) {
    if (!file.is_open() || file.bad()) reject_unreadable(path);
    reject({.file = path}, "this is not a checkpoint", accepted_checkpoint);
  }
  content.append(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  if (file.bad()) reject_unreadable(path);
  return content;
}

}  // namespace

const char* StateReader::take(std::uint64_t size) {
  if (size > rest_.size()) reject_content();
  const char* const begin = rest_.data();
  rest_.remove_prefix(size);
  return begin;
}

std::uint64_t StateReader::length() {
  std::uint64_t size = 0;
  (*this)(size);
  return size;
}

void StateReader::check_length(std::string_view field, std::uint64_t found,
                               std::uint64_t expected) const {
  if (found == expected) return;
  reject_state(fmt::format("{} has {} numbers; accepted: {}", field, found, expected));
}

void StateReader::reject_state(std::string_view problem) const {
  throw InvalidInput(
      fmt::format("{}: its content does not match these options: {}", name_, problem));
}

void StateReader::reject_content() const {
  reject({.file = name_}, "its content does not match these options", accepted_checkpoint);
}

void write_checkpoint(const std::string& path, std::string_view bytes) {
  StateWriter envelope;
  envelope(version);
  envelope(std::uint64_t{bytes.size()});
  StateWriter seal;
  seal(checksum(bytes, checksum(envelope.bytes(), checksum(first_line))));
  AtomicFile file(path);
  for (const std::string_view part :
       {first_line, std::string_view(envelope.bytes()), bytes, std::string_view(seal.bytes())}) {
    file.write(part);
  }
  file.commit();
}

std::optional<std::string> read_checkpoint(const std::string& path) {
  if (::access(path.c_str(), F_OK) != 0 && errno == ENOENT) return std::nullopt;
  const std::string content = read_checkpoint_file(path);
  std::string_view rest = content;
  rest.remove_prefix(first_line.size());
  const auto found = take<std::uint32_t>(rest);
  if (found != version && !rest.empty()) {
    reject({.file = path}, fmt::format("this is a checkpoint of version {}", found),
           fmt::format("version {}", version));
  }
  const auto size = take<std::uint64_t>(rest);
  if (rest.size() < sizeof(std::uint32_t) || size != rest.size() - sizeof(std::uint32_t)) {
    reject({.file = path}, "the checkpoint is truncated or has extra bytes", accepted_checkpoint);
  }
  const std::string_view bytes = rest.substr(0, size);
  rest.remove_prefix(size);
  const std::size_t sealed = content.size() - sizeof(std::uint32_t);
  if (take<std::uint32_t>(rest) != checksum(std::string_view(content).substr(0, sealed))) {
    reject({.file = path}, "the checkpoint is damaged: its checksum does not match",
           accepted_checkpoint);
  }
  return std::string(bytes);
}

}  // namespace shortfall::io

#include "files/whole_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "files/file_descriptor.hpp"
#include "files/open_input.hpp"
#include "files/transfer.hpp"
#include "text/place.hpp"

namespace shortfall::io {
namespace {

/// Appends up to `size` bytes of the file.
void append(std::string& content, std::size_t size, int descriptor, const Place& place,
            std::string_view accepted) {
  std::size_t filled = content.size();
  content.resize(filled + size);
  while (filled < content.size()) {
    const long count = read_some(descriptor, content.data() + filled, content.size() - filled);
    if (count < 0) reject_input(std::string(place.file), errno, accepted);
    if (count == 0) break;
    filled += static_cast<std::size_t>(count);
  }
  content.resize(filled);
}

}  // namespace

std::string beginning_of(const std::string& path, std::size_t size, std::string_view accepted) {
  struct stat status {};
  if (is_standard_input(path) || ::stat(path.c_str(), &status) != 0) return {};
  if (!S_ISREG(status.st_mode)) return {};
  const FileDescriptor file = open_input(path, accepted);
  std::string content;
  append(content, size, file.get(), {.file = path}, accepted);
  return content;
}

std::string whole_file(const std::string& path, std::string_view first, std::string_view accepted) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) reject_input(path, errno, accepted);
  if (!S_ISREG(status.st_mode)) reject({.file = path}, "this is not a regular file", accepted);
  const FileDescriptor file = open_input(path, accepted);
  std::string content;
  append(content, first.size(), file.get(), {.file = path}, accepted);
  if (content != first) return content;
  // Up to the size of what was opened, which may have replaced what was looked at: a file that
  // grows for ever is not read for ever.
  if (::fstat(file.get(), &status) != 0) reject_input(path, errno, accepted);
  const auto size = static_cast<std::size_t>(status.st_size);
  append(content, size - std::min(size, content.size()), file.get(), {.file = path}, accepted);
  return content;
}

}  // namespace shortfall::io

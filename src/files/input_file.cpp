#include "files/input_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <span>

#include "files/file_descriptor.hpp"
#include "shortfall/memory/memory.hpp"
#include "text/csv.hpp"
#include "text/text.hpp"

namespace shortfall::io {

std::string input_name(const std::string& path) {
  return is_standard_input(path) ? "standard input" : path;
}

InputFile::InputFile(const std::string& path) : name_(input_name(path)) {
  const FileDescriptor file = open_input(path);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) reject_input(name_, errno);
  // Files in /proc claim to be regular and of size 0; their size is known only after reading them.
  if (S_ISREG(status.st_mode) && status.st_size > 0 && !is_standard_input(path)) {
    read_whole(file.get(), static_cast<std::size_t>(status.st_size));
  } else {
    read_to_end(file.get());
  }
  if (text_.empty()) reject({.file = name_}, "the file is empty", accepted_input);
  if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
}

/// Not mapped: if a mapped file is truncated, access to the missing part kills the program.
void InputFile::read_whole(int descriptor, std::size_t size) {
  check_memory(static_cast<double>(size), fmt::format("{}: reading it", name_), "a smaller file");
  bytes_ = std::make_unique_for_overwrite<char[]>(size);
  const std::span<char> bytes(bytes_.get(), size);
  // A file that is not text is rejected after its beginning, however large it is.
  const std::size_t head = std::min(size, longest_line);
  if (!read_at(0, bytes.first(head), descriptor, name_)) reject_cut_short(name_, size);
  check_is_text({.file = name_}, {bytes.data(), head});
  if (!read_blocks_at(head, bytes.subspan(head), descriptor, name_)) reject_cut_short(name_, size);
  text_ = {bytes.data(), size};
}

void InputFile::read_to_end(int descriptor) {
  std::size_t size = 0;
  for (std::size_t line_begin = 0;;) {
    if (buffer_.size() - size < longest_line) buffer_.resize(2 * buffer_.size() + longest_line);
    const long count = read_some(descriptor, buffer_.data() + size, longest_line);
    if (count < 0) reject_input(name_, errno);
    if (count == 0) break;
    const std::string_view block(buffer_.data() + size, static_cast<std::size_t>(count));
    check_is_text({.file = name_}, block);
    if (const auto newline = block.rfind('\n'); newline != std::string_view::npos) {
      line_begin = size + newline + 1;
    }
    size += block.size();
    if (size - line_begin > longest_line) {
      const auto lines_before = std::count(buffer_.data(), buffer_.data() + line_begin, '\n');
      std::string_view line(buffer_.data() + line_begin, size - line_begin);
      take_line(line, {.file = name_, .line = static_cast<std::size_t>(lines_before) + 1});
    }
  }
  text_ = {buffer_.data(), size};
}

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

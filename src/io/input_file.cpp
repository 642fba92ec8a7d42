#include "shortfall/io/input_file.hpp"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

#include "io/file_descriptor.hpp"
#include "io/open_input.hpp"
#include "io/text.hpp"
#include "shortfall/io/csv.hpp"

namespace shortfall::io {
std::string input_name(const std::string& path) {
  return is_standard_input(path) ? "standard input" : path;
}

InputFile::InputFile(const std::string& path) : name_(input_name(path)) {
  const FileDescriptor file = open_input(path);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) reject_input(name_, errno);
  // Files of /proc say that they are regular and of size 0, and can only be read.
  if (S_ISREG(status.st_mode) && status.st_size > 0 && !is_standard_input(path)) {
    map(file.get(), static_cast<std::size_t>(status.st_size));
  } else {
    read(file.get());
  }
  if (text_.empty()) reject({.file = name_}, "the file is empty", accepted_input);
  if (text_.starts_with(byte_order_mark)) text_.remove_prefix(byte_order_mark.size());
}

void InputFile::Unmap::operator()(void* bytes) const {
  ::munmap(bytes, size);
}

void InputFile::map(int descriptor, std::size_t size) {
  void* const bytes = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
  if (bytes == MAP_FAILED) reject_input(name_, errno);
  mapping_ = {bytes, Unmap{size}};
  text_ = {static_cast<const char*>(bytes), size};
  check_is_text({.file = name_}, text_.substr(0, longest_line));
}

void InputFile::read(int descriptor) {
  std::size_t size = 0;
  for (std::size_t line_begin = 0;;) {
    if (buffer_.size() - size < longest_line) buffer_.resize(2 * buffer_.size() + longest_line);
    const ssize_t count = ::read(descriptor, buffer_.data() + size, longest_line);
    if (count < 0 && errno == EINTR) continue;
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

}  // namespace shortfall::io

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "io/file_descriptor.hpp"
#include "shortfall/io/input_file.hpp"

namespace shortfall::io {

/// How much one window is, in chunks that one task parses: enough to keep all cores at work.
inline constexpr std::size_t chunks_per_window = 8;

/// The lines of a text file, a window of many whole lines at a time: a large file is read into the
/// same memory again and again, which is faster than to hold all of it. What is not a regular file
/// is one window.
class LineWindows {
 public:
  /// Reads about `window_bytes` at a time, up to the size that the file has now. Throws
  /// InvalidInput where InputFile does.
  LineWindows(const std::string& path, std::size_t window_bytes);

  const std::string& name() const { return name_; }  ///< input_name(path)
  std::uint64_t size() const { return size_; }       ///< of the file, in bytes

  /// The next lines, up to a line end or the end of the file; nothing after the last. They stay
  /// until the next call. Without the blank lines that end the file; of blank lines before other
  /// text, at least one is there. A line over `longest_line` may be cut behind that. Throws
  /// InvalidInput where the file was cut short meanwhile.
  std::string_view next();

 private:
  void fill();
  std::string_view take_whole();
  std::string_view take_lines();

  std::string name_;
  std::optional<InputFile> whole_;  // what is not a regular file
  FileDescriptor file_;
  std::uint64_t size_ = 0;
  std::uint64_t offset_ = 0;  // of what is not read yet
  std::size_t capacity_ = 0;
  std::unique_ptr<char[]> buffer_;
  std::size_t taken_ = 0;  // of the buffer, by the last window
  std::size_t end_ = 0;    // of what is in the buffer
  bool done_ = false;
};

}  // namespace shortfall::io

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "files/file_descriptor.hpp"
#include "files/input_file.hpp"

namespace shortfall::io {

/// Size of a window in chunks, each parsed by one task: enough to keep all cores busy.
inline constexpr std::size_t chunks_per_window = 8;

/// The lines of a text file, one window of many complete lines at a time: a large file is read into
/// the same buffer again and again, which is faster than holding all of it. Input that is not a
/// regular file is one window.
class LineWindows {
 public:
  /// Reads about `window_bytes` at a time, up to the current size of the file. Throws InvalidInput
  /// where InputFile does.
  LineWindows(const std::string& path, std::size_t window_bytes);

  const std::string& name() const { return name_; }  ///< input_name(path)
  std::uint64_t size() const { return size_; }       ///< of the file, in bytes

  /// The next lines, up to a line end or the end of the file; nothing after the last. They are
  /// valid until the next call. Blank lines at the end of the file are left out; of blank lines
  /// before other text, at least one is kept. A line over `longest_line` may be truncated after
  /// that length. Throws InvalidInput if the file was truncated meanwhile.
  std::string_view next();

 private:
  void fill();
  std::string_view take_whole();
  std::string_view take_lines();

  std::string name_;
  std::optional<InputFile> whole_;  // if not a regular file
  FileDescriptor file_;
  std::uint64_t size_ = 0;
  std::uint64_t offset_ = 0;  // of the first byte not read yet
  std::size_t capacity_ = 0;
  std::unique_ptr<char[]> buffer_;
  std::size_t taken_ = 0;  // bytes of the buffer in the last window
  std::size_t end_ = 0;    // of the bytes in the buffer
  bool done_ = false;
};

}  // namespace shortfall::io

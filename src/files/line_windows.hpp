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

/// Readable bytes that follow a line, as simdjson needs them.
inline constexpr std::size_t padding = 64;

/// What ByteWindow::take_line took.
enum class Taken {
  none,       ///< nothing: there is no complete line
  line,       ///< a complete line
  last_line,  ///< the text after the last line end, at the end of the input
  too_long,   ///< the beginning of a line over the limit
  rest        ///< the rest of that line, which is dropped
};

/// A buffer that moves over the bytes of an input, line by line.
class ByteWindow {
 public:
  /// `offset` is the offset of the first byte.
  explicit ByteWindow(std::size_t line_limit, std::uint64_t offset = 0);

  /// Takes the next line, without its \n. The text is valid until fill(), and `padding` readable
  /// bytes follow it.
  Taken take_line(std::string_view& text);

  /// Calls read() on `descriptor` once and returns its result, errno included. If the buffer is
  /// full of lines not taken yet, reads nothing and returns 1.
  long fill(int descriptor);

  bool at_end() const { return at_end_; }           ///< fill() has seen the end of the input
  std::uint64_t offset() const { return offset_; }  ///< of the first byte not taken yet
  std::size_t capacity() const { return capacity_; }

 private:
  bool drop_rest_of_line();
  void drop(std::size_t count);
  void make_room();

  std::size_t line_limit_;
  std::size_t capacity_;
  std::unique_ptr<char[]> buffer_;  // capacity_ bytes and the padding
  std::size_t begin_ = 0;           // of the bytes not taken yet
  std::size_t scanned_ = 0;         // up to here there is no \n
  std::size_t end_ = 0;
  std::uint64_t offset_;
  bool dropping_ = false;  // in a line over the limit, before its end
  bool at_end_ = false;
};

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

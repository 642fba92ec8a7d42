#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

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

}  // namespace shortfall::io

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>

namespace shortfall::io {

/// What ByteWindow::take_line took.
enum class Taken {
  none,       ///< nothing: there is no whole line
  line,       ///< a line that has its end
  last_line,  ///< what stands after the last line end, where the input has ended
  too_long,   ///< the begin of a line over the limit
  rest        ///< what is left of that line, with its end, and dropped
};

/// A window that moves over the bytes of an input, line by line.
class ByteWindow {
 public:
  /// How much behind a line may be read, though not used: what vectorised parsers need.
  static constexpr std::size_t padding = 64;

  /// `offset` is that of the first byte.
  explicit ByteWindow(std::size_t line_limit, std::uint64_t offset = 0);

  /// Takes the next line, without its \n. The text stays until fill().
  Taken take_line(std::string_view& text);

  /// One read() from `descriptor`; returns what it returned, errno included. Reads nothing, and
  /// returns 1, where the buffer is full of lines that were not taken.
  long fill(int descriptor);

  bool at_end() const { return at_end_; }           ///< fill() has seen the end of the input
  std::uint64_t offset() const { return offset_; }  ///< of the first byte that is not taken
  std::size_t capacity() const { return capacity_; }

 private:
  bool drop_rest_of_line();
  void drop(std::size_t count);
  void make_room();

  std::size_t line_limit_;
  std::size_t capacity_;
  std::unique_ptr<char[]> buffer_;  // capacity_ and the padding
  std::size_t begin_ = 0;           // of what is not taken
  std::size_t scanned_ = 0;         // up to here there is no \n
  std::size_t end_ = 0;
  std::uint64_t offset_;
  bool dropping_ = false;  // a line too long, of which the end is still to come
  bool at_end_ = false;
};

}  // namespace shortfall::io

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace shortfall::io {

/// What messages call the file at `path`: the path, or standard input.
std::string input_name(const std::string& path);

/// The bytes of a whole text file, read-only, in memory: what becomes of the file afterwards does
/// not matter. A regular file is read up to the size that it has when it is opened, anything else
/// (a pipe, a terminal) to its end.
class InputFile {
 public:
  /// `path` may be `-` or `/dev/stdin` for standard input. Throws InvalidInput, which names the
  /// file and what is wrong with it: not there, a directory, not readable, empty, not text, cut
  /// short while it was read. From a pipe, a line of more than `longest_line` bytes is refused as
  /// soon as that many have come.
  explicit InputFile(const std::string& path);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& name() const { return name_; }  ///< input_name(path)
  std::string_view text() const { return text_; }    ///< without a UTF-8 byte-order mark

 private:
  void read_whole(int descriptor, std::size_t size);
  void read_to_end(int descriptor);

  std::string name_;
  std::string_view text_;
  std::unique_ptr<char[]> bytes_;  // of a regular file
  std::vector<char> buffer_;       // of anything else
};

}  // namespace shortfall::io

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace shortfall::io {

/// The name of the file at `path` in messages: the path, or "standard input".
std::string input_name(const std::string& path);

/// A whole text file in memory; later changes of the file have no effect. A regular file is read up
/// to its size when opened, anything else (a pipe, a terminal) to its end.
class InputFile {
 public:
  /// `path` may be `-` or `/dev/stdin` for standard input. Throws InvalidInput that names the file
  /// and the problem: missing, a directory, not readable, empty, not text, truncated while it was
  /// read. From a pipe, a line over `longest_line` bytes is rejected as soon as that many have
  /// arrived.
  explicit InputFile(const std::string& path);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& name() const { return name_; }  ///< input_name(path)
  /// Without a UTF-8 byte-order mark.
  std::string_view text() const { return text_; }

 private:
  void read_whole(int descriptor, std::size_t size);
  void read_to_end(int descriptor);

  std::string name_;
  std::string_view text_;
  std::unique_ptr<char[]> bytes_;  // of a regular file
  std::vector<char> buffer_;       // of anything else
};

/// Up to `size` bytes from the beginning of a regular file, by which its format is recognised;
/// nothing if there is no such file. Throws InvalidInput that names the file if it cannot be read:
/// a file that cannot be read is not one of another format.
std::string beginning_of(const std::string& path, std::size_t size,
                         std::string_view accepted = "a file that can be read");

/// All bytes of a regular file, if it begins with `first`; otherwise its beginning only. Throws
/// InvalidInput as above, and if there is no such file.
std::string whole_file(const std::string& path, std::string_view first, std::string_view accepted);

}  // namespace shortfall::io

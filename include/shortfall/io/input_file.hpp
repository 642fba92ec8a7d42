#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace shortfall::io {

/// What messages call the file at `path`: the path, or standard input.
std::string input_name(const std::string& path);

/// The bytes of a whole text file, read-only. A regular file is mapped, not copied: it must not
/// shrink while this lives. Anything else (a pipe, a terminal) is read to its end into memory.
class InputFile {
 public:
  /// `path` may be `-` or `/dev/stdin` for standard input. Throws InvalidInput, which names the
  /// file and what is wrong with it: not there, a directory, not readable, empty, not text. From a
  /// pipe, a line of more than `longest_line` bytes is refused as soon as that many have come.
  explicit InputFile(const std::string& path);
  InputFile(const InputFile&) = delete;
  InputFile& operator=(const InputFile&) = delete;

  const std::string& name() const { return name_; }  ///< input_name(path)
  std::string_view text() const { return text_; }    ///< without a UTF-8 byte-order mark

 private:
  struct Unmap {
    std::size_t size;
    void operator()(void* bytes) const;
  };
  void map(int descriptor, std::size_t size);
  void read(int descriptor);

  std::string name_;
  std::string_view text_;
  std::unique_ptr<void, Unmap> mapping_;  // the bytes, where they are mapped
  std::vector<char> buffer_;              // the bytes, where they were read
};

}  // namespace shortfall::io

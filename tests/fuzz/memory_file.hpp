#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "files/file_descriptor.hpp"

namespace shortfall::fuzz {

/// A regular file in memory with these bytes, for readers that take paths.
class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes);

  std::string path() const;

 private:
  io::FileDescriptor file_;
};

/// A pipe that nobody reads meanwhile: it holds at most the 64 KiB that Linux keeps in one.
class Pipe {
 public:
  Pipe();

  void write(std::string_view bytes) const;
  void close();
  std::string path() const;

 private:
  io::FileDescriptor end_;
  io::FileDescriptor beginning_;
};

/// A pipe that holds these bytes and ends after them.
class FullPipe : public Pipe {
 public:
  explicit FullPipe(std::string_view bytes);
};

/// The path of a file that the next caller of this function replaces, in a directory that is
/// removed at the end of the process. The directory is in TMPDIR: faster in memory.
std::string scratch_path();

/// The same with a blank before each row but the first: equivalent, but no row takes the fast path
/// of CSV and NDJSON readers. None if there are other bytes than those of plain text, at whose
/// sight readers say what kind of file it is.
std::optional<std::string> with_blanks(std::string_view rows);

/// The bytes of a file.
std::string content_of(const std::string& path);

}  // namespace shortfall::fuzz

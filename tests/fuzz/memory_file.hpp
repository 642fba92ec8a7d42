#pragma once

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

/// A pipe that holds these bytes and ends after them: at most the 64 KiB that Linux keeps in one.
class FullPipe {
 public:
  explicit FullPipe(std::string_view bytes);

  std::string path() const;

 private:
  io::FileDescriptor end_;
};

/// The path of a file that the next caller of this function replaces, in a directory that is
/// removed at the end of the process. The directory is in TMPDIR: faster in memory.
std::string scratch_path();

/// The bytes of a file.
std::string content_of(const std::string& path);

}  // namespace shortfall::fuzz

#pragma once

#include <string>
#include <vector>

namespace shortfall::io {

/// A file that somebody asks to be read or written, and what messages call it.
struct FileUse {
  enum class Kind { read, written };

  std::string name;  ///< such as "--policy-out"
  std::string path;  ///< also a pipe or a device, or - for a standard stream; empty: no file
  Kind kind = Kind::read;
};

/// Throws InvalidInput that names both uses if a file to be written is one to be read, or is to be
/// written twice: by its device and inode, whatever the paths look like, through symbolic and hard
/// links and redirected standard streams. A file that is not there yet is known by its directory
/// and name. Pipes and devices have no content that could be overwritten.
void check_no_overwriting(const std::vector<FileUse>& uses);

}  // namespace shortfall::io

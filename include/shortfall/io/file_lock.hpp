#pragma once

#include <string>

namespace shortfall::io {

/// Says that a file is in use, whatever name it is called by, as long as this lives: by a lock on
/// the empty file `.NAME.lock` beside it. The lock goes with the process, even a killed one; the
/// empty file is then left behind, and means nothing.
class FileLock {
 public:
  /// Throws OutputError where another process has the lock, or the lock file cannot be made.
  explicit FileLock(const std::string& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  std::string lock_path_;
  int descriptor_ = -1;
};

}  // namespace shortfall::io

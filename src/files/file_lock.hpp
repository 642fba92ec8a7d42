#pragma once

#include <string>

namespace shortfall::io {

/// Marks a file as in use, under any of its names, by a lock on the empty file `.NAME.lock` in the
/// same directory. The destructor releases the lock. So does the end of the process, even by a
/// kill; a leftover `.NAME.lock` is harmless.
class FileLock {
 public:
  /// Throws OutputError if another process holds the lock, or if the lock file cannot be created.
  explicit FileLock(const std::string& path);
  ~FileLock();
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;

 private:
  std::string lock_path_;
  int descriptor_ = -1;
};

}  // namespace shortfall::io

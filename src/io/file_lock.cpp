#include "shortfall/io/file_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "io/file_descriptor.hpp"
#include "shortfall/io/atomic_file.hpp"

namespace shortfall::io {
namespace {

/// The same for all names of a file.
std::string lock_path_of(const std::string& path) {
  std::error_code unknown;
  std::filesystem::path file = std::filesystem::weakly_canonical(path, unknown);
  if (unknown) file = path;
  return file.replace_filename(fmt::format(".{}.lock", file.filename().string())).string();
}

[[noreturn]] void fail(const std::string& path, const std::string& lock_path,
                       const std::string& reason) {
  throw OutputError(fmt::format(
      "{}: it cannot be locked by {}: {}; accepted: a file in a directory where files can be made",
      path, lock_path, reason));
}

bool is_same_file(int descriptor, const std::string& path) {
  struct stat open {};
  struct stat named {};
  return ::fstat(descriptor, &open) == 0 && ::stat(path.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

bool is_empty_file(int descriptor) {
  struct stat status {};
  return ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode) && status.st_size == 0;
}

}  // namespace

FileLock::FileLock(const std::string& path) : lock_path_(lock_path_of(path)) {
  for (;;) {
    FileDescriptor file(
        ::open(lock_path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0644));
    if (!file.is_open()) fail(path, lock_path_, std::generic_category().message(errno));
    // It is removed in the end, so it must be one of ours.
    if (!is_empty_file(file.get())) fail(path, lock_path_, "that is no empty file");
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
      if (errno != EWOULDBLOCK) fail(path, lock_path_, std::generic_category().message(errno));
      throw OutputError(
          fmt::format("{}: another run is using it; accepted: one of its own for each run", path));
    }
    // The run before may have removed the file between our open and our lock.
    if (!is_same_file(file.get(), lock_path_)) continue;
    descriptor_ = file.release();
    return;
  }
}

FileLock::~FileLock() {
  ::unlink(lock_path_.c_str());
  ::close(descriptor_);
}

}  // namespace shortfall::io

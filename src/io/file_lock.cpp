#include "shortfall/io/file_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <system_error>

#include "io/file_descriptor.hpp"
#include "shortfall/io/atomic_file.hpp"

namespace shortfall::io {
namespace {

bool is_same_file(int descriptor, const std::string& path) {
  struct stat open {};
  struct stat named {};
  return ::fstat(descriptor, &open) == 0 && ::stat(path.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

}  // namespace

FileLock::FileLock(const std::string& path) : lock_path_(path + ".lock") {
  for (;;) {
    FileDescriptor file(::open(lock_path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644));
    if (!file.is_open()) {
      throw OutputError(fmt::format("{}: {}", lock_path_, std::generic_category().message(errno)));
    }
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
      throw OutputError(
          fmt::format("{}: another run is using it; accepted: a file of its own for "
                      "each run",
                      path));
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

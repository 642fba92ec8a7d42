#include "files/file_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>

#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include "files/atomic_file.hpp"
#include "files/file_descriptor.hpp"
#include "files/file_identity.hpp"
#include "files/path_names.hpp"

namespace shortfall::io {
namespace {

/// The lock path is the same for all names of a file.
std::string lock_path_of(const std::string& path) {
  std::optional<std::string> file = real_path(path);
  if (!file) {
    const std::optional<std::string> folder = real_path(directory_of(path));
    file = folder ? fmt::format("{}/{}", *folder, name_of_file(path)) : path;
  }
  return sibling_of(*file, fmt::format(".{}.lock", name_of_file(*file)));
}

[[noreturn]] void fail(const std::string& path, const std::string& lock_path,
                       const std::string& reason) {
  throw OutputError(
      fmt::format("{}: it cannot be locked by {}: {}; accepted: a file in a writable directory",
                  path, lock_path, reason));
}

/// The lock file, and whether this process created it.
struct LockFile {
  FileDescriptor file;
  bool is_new;
};

/// Not open, with errno set, if it does not exist and cannot be created.
LockFile open_lock_file(const std::string& lock_path) {
  constexpr int flags = O_RDWR | O_NONBLOCK;
  for (;;) {
    FileDescriptor file = open_file(lock_path.c_str(), flags | O_CREAT | O_EXCL, 0644);
    if (file.is_open()) return {std::move(file), true};
    if (errno != EEXIST) return {std::move(file), false};
    file = open_file(lock_path.c_str(), flags);
    if (file.is_open() || errno != ENOENT) return {std::move(file), false};
  }
}

}  // namespace

FileLock::FileLock(const std::string& path) : lock_path_(lock_path_of(path)) {
  for (;;) {
    LockFile lock = open_lock_file(lock_path_);
    const auto give_up = [&](const std::string& reason) {
      if (lock.is_new) ::unlink(lock_path_.c_str());
      fail(path, lock_path_, reason);
    };
    if (!lock.file.is_open()) fail(path, lock_path_, std::generic_category().message(errno));
    struct stat status {};
    if (::fstat(lock.file.get(), &status) != 0) give_up(std::generic_category().message(errno));
    // The destructor removes it, so it must be a lock file of ours, which is empty.
    if (!S_ISREG(status.st_mode) || status.st_size > 0) {
      fail(path, lock_path_, "that is not an empty file");
    }
    const int locked = uninterrupted([&] { return ::flock(lock.file.get(), LOCK_EX | LOCK_NB); });
    if (locked != 0) {
      if (errno != EWOULDBLOCK) give_up(std::generic_category().message(errno));
      throw OutputError(
          fmt::format("{}: another run is using it; accepted: a separate file for each run", path));
    }
    // The previous owner may have removed the file between our open and our lock.
    if (!is_same_file(lock.file.get(), lock_path_)) continue;
    descriptor_ = lock.file.release();
    return;
  }
}

FileLock::~FileLock() {
  ::unlink(lock_path_.c_str());
  ::close(descriptor_);
}

}  // namespace shortfall::io

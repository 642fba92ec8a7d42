#include "files/path_names.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <memory>
#include <new>

#include "files/checksum.hpp"
#include "files/file_identity.hpp"

namespace shortfall::io {

namespace {

/// The part up to the last slash, which it contains.
std::string_view folder_part(std::string_view path) {
  return path.substr(0, path.rfind('/') + 1);  // 0 characters if there is none
}

}  // namespace

std::string directory_of(std::string_view path) {
  std::string_view folder = folder_part(path);
  if (folder.empty()) return ".";
  if (folder.size() > 1) folder.remove_suffix(1);
  return std::string(folder);
}

std::string_view name_of_file(std::string_view path) {
  return path.substr(folder_part(path).size());
}

std::string sibling_of(std::string_view path, std::string_view name) {
  return std::string(folder_part(path)).append(name);
}

std::optional<std::string> real_path(const std::string& path) {
  const std::unique_ptr<char, decltype(&std::free)> found(::realpath(path.c_str(), nullptr),
                                                          &std::free);
  if (!found && errno == ENOMEM) throw std::bad_alloc();
  if (!found) return std::nullopt;
  return std::string(found.get());
}

std::optional<std::string> link_target(std::string path) {
  constexpr int most_links = 40;  // as many as the system follows
  for (int k = 0; k < most_links; ++k) {
    std::array<char, PATH_MAX> target{};
    const ssize_t size = ::readlink(path.c_str(), target.data(), target.size());
    if (size < 0) return path;
    const std::string_view found(target.data(), static_cast<std::size_t>(size));
    path = found.starts_with('/') ? std::string(found) : sibling_of(path, found);
  }
  errno = ELOOP;
  return std::nullopt;
}

namespace {

/// Leftover names searched for: the number of processes whose leftovers can be found.
constexpr int names_searched = 8;

/// The name is the same in every process that writes this file, so that one finds the leftovers of
/// another. It holds a checksum because the file's own name may be too long.
std::string temporary_name(const std::string& final_name, int attempt) {
  return sibling_of(final_name, fmt::format(".shortfall-{:08x}-{}.tmp",
                                            checksum(name_of_file(final_name)), attempt));
}

bool lock(int descriptor) {
  return uninterrupted([&] { return ::flock(descriptor, LOCK_EX | LOCK_NB); }) == 0;
}

/// Whether another process holds the lock. False on a file system without locks, where
/// remove_leftovers cannot lock, either, and so removes nothing.
bool is_locked_by_another(int descriptor) {
  return !lock(descriptor) && errno == EWOULDBLOCK;
}

}  // namespace

FileDescriptor create_temporary(const std::string& final_name, mode_t mode, std::string& name) {
  for (int attempt = 0;; ++attempt) {
    name = temporary_name(final_name, attempt);
    FileDescriptor file = open_file(name.c_str(), O_CREAT | O_EXCL | O_WRONLY, mode);
    if (!file.is_open() && errno == EEXIST) continue;
    if (!file.is_open()) return file;
    // Before we locked it, another process may have removed it as a leftover.
    if (!is_locked_by_another(file.get()) && is_same_file(file.get(), name)) return file;
  }
}

bool link_temporary(int descriptor, const std::string& final_name, std::string& name) {
  for (int attempt = 0;; ++attempt) {
    name = temporary_name(final_name, attempt);
    if (link_open_file(descriptor, name)) return true;
    if (errno != EEXIST) return false;
  }
}

void lock_temporary(int descriptor) {
  (void)lock(descriptor);
}

void remove_leftovers(const std::string& final_name) {
  for (int attempt = 0; attempt < names_searched; ++attempt) {
    const std::string name = temporary_name(final_name, attempt);
    const FileDescriptor file = open_file(name.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK);
    struct stat status {};
    if (!file.is_open() || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    // While we hold the lock and the name still refers to this file, no other process removes or
    // renames it.
    if (!lock(file.get())) continue;
    if (is_same_file(file.get(), name)) ::unlink(name.c_str());
  }
}

}  // namespace shortfall::io

#include "files/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

#include "files/file_descriptor.hpp"
#include "files/file_identity.hpp"
#include "files/path_names.hpp"
#include "text/number.hpp"

namespace shortfall::io {
namespace {

constexpr std::size_t flush_bytes = std::size_t{64} << 10;
constexpr mode_t new_file_mode = 0666;  // minus the umask

bool sync(int descriptor) {
  return uninterrupted([&] { return ::fsync(descriptor); }) == 0;
}

}  // namespace

std::optional<int> open_stream(std::string_view path) {
  if (path == "-" || path == "/dev/stdout") return STDOUT_FILENO;
  if (path == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    if (!path.starts_with(folder)) continue;
    if (const auto id = parse_id(path.substr(folder.size()), 1u << 30)) {
      return static_cast<int>(*id);
    }
  }
  return std::nullopt;
}

struct AtomicFile::Target {
  FileDescriptor file;
  std::string final_name;  // empty: written to directly
  std::string temporary;   // empty: the file has no name (yet)

  Target() = default;
  Target(const Target&) = delete;
  Target& operator=(const Target&) = delete;
  ~Target() {
    if (!temporary.empty()) ::unlink(temporary.c_str());
  }

  bool is_direct() const { return final_name.empty(); }
  std::string directory() const { return directory_of(final_name); }

  /// These return false and set errno on failure.
  bool open_directly(const char* path) {
    file = open_file(path, O_WRONLY);
    return file.is_open();
  }
  bool open_temporary(Temporary kind) {
    if (kind == Temporary::nameless && ::access("/proc/self/fd", X_OK) == 0) {
      file = open_file(directory().c_str(), O_TMPFILE | O_WRONLY, new_file_mode);
      if (file.is_open()) {
        lock_temporary(file.get());
        return true;
      }
    }
    std::string name;
    file = create_temporary(final_name, new_file_mode, name);
    if (file.is_open()) temporary = std::move(name);
    return file.is_open();
  }
  /// If the final name is free, a nameless file gets it directly, so that a kill at any moment
  /// leaves no temporary name behind.
  bool give_name() {
    if (!temporary.empty()) return rename();
    if (link_open_file(file.get(), final_name)) return sync_directory();
    std::string name;
    if (errno != EEXIST || !link_temporary(file.get(), final_name, name)) return false;
    temporary = std::move(name);  // a copy might fail, and leave the file behind
    return rename();
  }
  bool rename() {
    if (::rename(temporary.c_str(), final_name.c_str()) != 0) return false;
    temporary.clear();
    return sync_directory();
  }
  bool sync_directory() const {
    // The new name is durable once its directory is; file systems that cannot sync directories
    // return EINVAL.
    const FileDescriptor folder = open_file(directory().c_str(), O_RDONLY | O_DIRECTORY);
    return folder.is_open() && (sync(folder.get()) || errno == EINVAL);
  }
};

AtomicFile::AtomicFile(std::string path, Temporary temporary)
    : path_(std::move(path)), target_(std::make_unique<Target>()) {
  if (const auto stream = open_stream(path_)) {
    target_->file = FileDescriptor(::dup(*stream));
    if (!target_->file.is_open()) fail(errno);
    return;
  }
  struct stat status {};
  const bool exists = ::stat(path_.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) fail(errno);
  if (exists && S_ISDIR(status.st_mode)) fail(EISDIR);
  if (exists && !S_ISREG(status.st_mode)) {
    const bool is_openable = S_ISFIFO(status.st_mode) ? ::access(path_.c_str(), W_OK) == 0
                                                      : target_->open_directly(path_.c_str());
    if (!is_openable) fail(errno);
    return;
  }
  if (exists && ::access(path_.c_str(), W_OK) != 0) fail(errno);
  const std::optional<std::string> final_name = exists ? real_path(path_) : link_target(path_);
  if (!final_name) fail(errno);
  target_->final_name = *final_name;
  if (name_of_file(target_->final_name).empty()) fail(path_.empty() ? EINVAL : EISDIR);
  remove_leftovers(target_->final_name);
  if (!target_->open_temporary(temporary)) fail(errno);
  if (exists && ::fchmod(target_->file.get(), status.st_mode & 07777u) != 0) fail(errno);
}

AtomicFile::~AtomicFile() = default;

void AtomicFile::write(std::string_view bytes) {
  if (bytes.size() < flush_bytes) {
    pending_ += bytes;
    if (pending_.size() >= flush_bytes) flush();
    return;
  }
  flush();
  write_through(bytes);
}

void AtomicFile::commit() {
  flush();
  if (target_->is_direct()) {
    // An interrupted close() has closed the file: all bytes were written before.
    if (::close(target_->file.release()) != 0 && errno != EINTR) fail(errno);
  } else {
    if (!sync(target_->file.get())) fail(errno);
    if (!target_->give_name()) fail(errno);
  }
  target_.reset();
}

void AtomicFile::flush() {
  if (!target_) fail(EBADF);
  const bool is_unopened_pipe = target_->is_direct() && !target_->file.is_open();
  if (is_unopened_pipe && !target_->open_directly(path_.c_str())) fail(errno);
  write_through(pending_);
  pending_.clear();
}

void AtomicFile::write_through(std::string_view bytes) {
  if (!write_all(target_->file.get(), bytes)) fail(errno);
}

void AtomicFile::fail(int error) {
  target_.reset();
  const std::string reason = error == ENOENT   ? "its directory does not exist"
                             : error == EISDIR ? "it is a directory"
                                               : std::generic_category().message(error);
  throw OutputError(fmt::format("cannot write '{}': {}", path_, reason));
}

void check_writable(const std::string& path) {
  const AtomicFile probe(path);
}

void write_file(const std::string& path, std::string_view content) {
  AtomicFile file(path);
  file.write(content);
  file.commit();
}

void make_directory(const std::string& path) {
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) {
    throw OutputError(
        fmt::format("{}: {}; accepted: a directory that can be written to", path, error.message()));
  }
}

void remove_directory(const std::string& path) {
  std::error_code error;
  do {
    std::filesystem::remove_all(path, error);
  } while (error == std::errc::interrupted);
  if (error) {
    throw OutputError(
        fmt::format("{}: {}; accepted: a directory that can be removed", path, error.message()));
  }
}

}  // namespace shortfall::io

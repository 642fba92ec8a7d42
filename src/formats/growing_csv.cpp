#include "formats/growing_csv.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <span>
#include <string_view>
#include <system_error>

#include "files/atomic_file.hpp"
#include "files/file_descriptor.hpp"
#include "files/file_identity.hpp"
#include "files/fingerprint.hpp"
#include "shortfall/errors/error.hpp"

namespace shortfall::io {

GrowingCsv::GrowingCsv(Names names) : names_(std::move(names)) {
  const std::string& path = names_.path;
  if (const std::optional<int> stream = open_stream(path)) {
    file_ = FileDescriptor(::fcntl(*stream, F_DUPFD_CLOEXEC, 0));
    if (!file_.is_open()) fail(errno);
  }
  struct stat status {};
  const bool exists =
      file_.is_open() ? ::fstat(file_.get(), &status) == 0 : ::stat(path.c_str(), &status) == 0;
  if (!exists && errno != ENOENT) fail(errno);
  if (!exists || S_ISREG(status.st_mode)) {
    // What a shell has opened, as for `-`, is written from where it is, and has no name to resume.
    if (!file_.is_open()) lock_.emplace(path);
    return;
  }
  if (S_ISDIR(status.st_mode)) fail(EISDIR);
  if (!file_.is_open()) file_ = open_file(path.c_str(), O_WRONLY);
  if (!file_.is_open()) fail(errno);
}

void GrowingCsv::begin(Start start, const Extent& covered) {
  if (!lock_) {
    pending_ = names_.header;
    return;
  }
  open_file_at_path();
  if (start == Start::new_run) {
    cut(0);
  } else {
    continue_after(covered);
  }
  if (bytes_ == 0) pending_ = names_.header;
}

void GrowingCsv::open_file_at_path() {
  // Not O_TRUNC: first see what it is. O_APPEND: it may be emptied while it grows.
  FileDescriptor file =
      open_file(names_.path.c_str(), O_RDWR | O_NONBLOCK | O_CREAT | O_APPEND, 0666);
  if (!file.is_open()) fail(errno);
  struct stat status {};
  if (::fstat(file.get(), &status) != 0) fail(errno);
  if (!S_ISREG(status.st_mode)) fail(EINVAL);
  file_ = std::move(file);
}

std::uint64_t GrowingCsv::size() {
  struct stat status {};
  if (::fstat(file_.get(), &status) != 0) fail(errno);
  return static_cast<std::uint64_t>(status.st_size);
}

void GrowingCsv::continue_after(const Extent& covered) {
  const std::uint64_t found = size();
  const bool is_covered =
      found >= covered.bytes && covered.bytes > 0 &&
      fingerprint_before(covered.bytes, file_.get(), names_.path) == covered.fingerprint;
  if (is_covered) return cut(covered.bytes);
  if (covered.bytes > 0) {
    notice_ = fmt::format("{} is not the file that the checkpoint covers: {}", names_.path,
                          found == 0 ? "a new one begins" : "rows are added at its end");
  }
  continue_at_end();
}

/// After its last complete line: the one before may have been killed in the middle of one.
void GrowingCsv::continue_at_end() {
  std::uint64_t end = size();
  if (end > 0 && !begins_with_header()) {
    throw InvalidField(
        names_.field,
        fmt::format("{} does not begin with the line {:?}; accepted: a file that this or an "
                    "earlier run began, or a new one",
                    names_.path,
                    std::string_view(names_.header).substr(0, names_.header.size() - 1)));
  }
  for (char last = 0; end > 0; --end) {
    if (!read_at(end - 1, std::span(&last, 1), file_.get(), names_.path)) break;
    if (last == '\n') break;
  }
  cut(end);
}

bool GrowingCsv::begins_with_header() const {
  std::string beginning(names_.header.size(), '\0');
  return read_at(0, std::span(beginning), file_.get(), names_.path) && beginning == names_.header;
}

void GrowingCsv::cut(std::uint64_t bytes) {
  const auto end = static_cast<off_t>(bytes);
  if (uninterrupted([&] { return ::ftruncate(file_.get(), end); }) != 0) fail(errno);
  bytes_ = bytes;
}

void GrowingCsv::flush() {
  if (pending_.empty()) return;
  if (lock_) {
    if (const std::uint64_t left = size(); left < bytes_) {  // someone has emptied it
      bytes_ = left;
      if (left == 0) pending_.insert(0, names_.header);
    }
  }
  if (!write_all(file_.get(), pending_)) fail(errno);
  if (lock_) bytes_ += pending_.size();
  pending_.clear();
}

GrowingCsv::Extent GrowingCsv::sync() {
  flush();
  if (!lock_) return {};
  if (uninterrupted([&] { return ::fdatasync(file_.get()); }) != 0) fail(errno);
  return {.bytes = bytes_, .fingerprint = fingerprint_before(bytes_, file_.get(), names_.path)};
}

void GrowingCsv::reopen() {
  if (!lock_) return flush();
  (void)sync();
  if (is_same_file(file_.get(), names_.path)) return;
  open_file_at_path();
  bytes_ = size();
  if (bytes_ > 0) continue_at_end();
  if (bytes_ == 0) pending_ = names_.header;
}

void GrowingCsv::fail(int error) {
  is_intact_ = false;
  throw OutputError(fmt::format(
      "cannot write '{}': {}", names_.path,
      error == ENOENT ? "its directory does not exist" : std::generic_category().message(error)));
}

}  // namespace shortfall::io

#include "formats/predictions_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>
#include <system_error>
#include <utility>

#include "files/atomic_file.hpp"
#include "files/file_descriptor.hpp"
#include "files/fingerprint.hpp"
#include "shortfall/errors/error.hpp"

namespace shortfall::io {
namespace {

constexpr std::size_t most_pending = std::size_t{64} << 10;

template <class... Values>
[[noreturn]] void reject_predictions(fmt::format_string<const Values&...> message,
                                     const Values&... values) {
  throw InvalidField("predictions", fmt::format(message, values...));
}

}  // namespace

PredictionsFile::PredictionsFile(std::string path, const Extent& covered)
    : path_(std::move(path)), lock_(path_) {
  open(covered);
  if (covered.bytes == 0) pending_ = "row,value,residual\n";
}

void PredictionsFile::open(const Extent& covered) {
  const bool is_new = covered.bytes == 0;
  // Not O_TRUNC: first see what it is.
  file_ = open_file(path_.c_str(), O_RDWR | O_NONBLOCK | (is_new ? O_CREAT : 0), 0666);
  if (!file_.is_open() && errno == ENOENT && !is_new) {
    reject_predictions(
        "{} does not exist, but the checkpoint covers {} bytes of it; accepted: "
        "that file, or another checkpoint",
        path_, covered.bytes);
  }
  if (!file_.is_open()) fail(errno);
  struct stat status {};
  if (::fstat(file_.get(), &status) != 0) fail(errno);
  if (!S_ISREG(status.st_mode)) {
    reject_predictions("{} is not a regular file; accepted: a file", path_);
  }
  const bool is_covered =
      static_cast<std::uint64_t>(status.st_size) >= covered.bytes &&
      (is_new || fingerprint_before(covered.bytes, file_.get(), path_) == covered.fingerprint);
  if (!is_covered) {
    reject_predictions(
        "{} is not the file that the checkpoint covers: it is shorter than {} bytes, or they have "
        "changed; accepted: that file, or another checkpoint",
        path_, covered.bytes);
  }
  const auto size = static_cast<off_t>(covered.bytes);
  if (uninterrupted([&] { return ::ftruncate(file_.get(), size); }) != 0) fail(errno);
  if (::lseek(file_.get(), size, SEEK_SET) < 0) fail(errno);
  bytes_ = covered.bytes;
}

void PredictionsFile::add(std::uint64_t row, double value, double residual) {
  fmt::format_to(std::back_inserter(pending_), "{},{},{}\n", row, value, residual);
  if (pending_.size() >= most_pending) flush();
}

void PredictionsFile::flush() {
  if (!write_all(file_.get(), pending_)) fail(errno);
  bytes_ += pending_.size();
  pending_.clear();
}

PredictionsFile::Extent PredictionsFile::sync() {
  flush();
  if (uninterrupted([&] { return ::fdatasync(file_.get()); }) != 0) fail(errno);
  return {.bytes = bytes_, .fingerprint = fingerprint_before(bytes_, file_.get(), path_)};
}

void PredictionsFile::fail(int error) {
  is_intact_ = false;
  throw OutputError(fmt::format(
      "cannot write '{}': {}", path_,
      error == ENOENT ? "its directory does not exist" : std::generic_category().message(error)));
}

}  // namespace shortfall::io

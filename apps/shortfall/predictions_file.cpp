#include "apps/shortfall/predictions_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <iterator>
#include <string_view>
#include <system_error>
#include <utility>

#include "files/atomic_file.hpp"
#include "files/fingerprint.hpp"
#include "require.hpp"

namespace shortfall::app {
namespace {

constexpr std::size_t most_pending = std::size_t{64} << 10;

}  // namespace

PredictionsFile::PredictionsFile(std::string path, const Extent& covered)
    : path_(std::move(path)), lock_(path_) {
  open(covered);
  if (covered.bytes == 0) pending_ = "row,value,residual\n";
}

void PredictionsFile::open(const Extent& covered) {
  const bool is_new = covered.bytes == 0;
  // Not O_TRUNC: first see what it is.
  file_ = io::FileDescriptor(
      ::open(path_.c_str(), O_RDWR | O_CLOEXEC | O_NONBLOCK | (is_new ? O_CREAT : 0), 0666));
  if (!file_.is_open() && errno == ENOENT && !is_new) {
    throw InvalidInput(
        fmt::format("--predictions: {} does not exist, but the checkpoint covers {} bytes of it; "
                    "accepted: that file, or another checkpoint",
                    path_, covered.bytes));
  }
  if (!file_.is_open()) fail(errno);
  struct stat status {};
  if (::fstat(file_.get(), &status) != 0) fail(errno);
  require(S_ISREG(status.st_mode), "--predictions: {} is not a regular file; accepted: a file",
          path_);
  const bool is_covered =
      static_cast<std::uint64_t>(status.st_size) >= covered.bytes &&
      (is_new || io::fingerprint_before(covered.bytes, file_.get(), path_) == covered.fingerprint);
  require(is_covered,
          "--predictions: {} is not the file that the checkpoint covers: it is shorter than {} "
          "bytes, or they have changed; accepted: that file, or another checkpoint",
          path_, covered.bytes);
  if (::ftruncate(file_.get(), static_cast<off_t>(covered.bytes)) != 0) fail(errno);
  if (::lseek(file_.get(), static_cast<off_t>(covered.bytes), SEEK_SET) < 0) fail(errno);
  bytes_ = covered.bytes;
}

void PredictionsFile::add(std::uint64_t row, double value, double residual) {
  fmt::format_to(std::back_inserter(pending_), "{},{},{}\n", row, value, residual);
  if (pending_.size() >= most_pending) flush();
}

void PredictionsFile::flush() {
  std::string_view rest = pending_;
  while (!rest.empty()) {
    const ssize_t count = ::write(file_.get(), rest.data(), rest.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(errno);
    rest.remove_prefix(static_cast<std::size_t>(count));
    bytes_ += static_cast<std::uint64_t>(count);
  }
  pending_.clear();
}

PredictionsFile::Extent PredictionsFile::sync() {
  flush();
  if (::fdatasync(file_.get()) != 0) fail(errno);
  return {.bytes = bytes_, .fingerprint = io::fingerprint_before(bytes_, file_.get(), path_)};
}

void PredictionsFile::fail(int error) {
  is_intact_ = false;
  throw io::OutputError(fmt::format(
      "cannot write '{}': {}", path_,
      error == ENOENT ? "its directory does not exist" : std::generic_category().message(error)));
}

}  // namespace shortfall::app

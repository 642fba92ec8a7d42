#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "files/file_lock.hpp"
#include "shortfall/checkpoint/checkpoint.hpp"

namespace shortfall::app {

/// Values that must not change when a run is resumed, by the name of the option.
using RecordedOptions = std::vector<std::pair<std::string, std::string>>;

/// Writes the values to a checkpoint.
void archive(io::StateWriter& state, const RecordedOptions& options);

/// The checkpoint file of a run, or none. No other process can use it in the meantime.
class ResumableRun {
 public:
  /// An empty path means no checkpoint. `activity` is what continues when one cannot be written:
  /// "learning". Throws OutputError if another process uses the file.
  ResumableRun(const std::string& path, std::string activity);

  bool has_checkpoint() const { return !path_.empty(); }
  const std::string& path() const { return path_; }

  /// Calls `read` with the saved state, if there is one, and returns whether it did. Throws
  /// InvalidInput if the file is damaged or has more than what `read` takes.
  bool load(const std::function<void(io::StateReader&)>& read) const;

  /// Reads recorded options. Throws InvalidInput that names the first one that has changed.
  void check_recorded(const RecordedOptions& options, io::StateReader& state) const;

  /// Writes the state. A full disk may have room later, so failing is not fatal yet: it prints the
  /// first of several failures in a row and returns false.
  bool save(const io::StateWriter& state);

  /// Why the last state could not be written; empty if it was.
  const std::string& save_error() const { return save_error_; }

 private:
  std::string path_;
  std::string activity_;
  std::optional<io::FileLock> lock_;
  std::string save_error_;
};

}  // namespace shortfall::app

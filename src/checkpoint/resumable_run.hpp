#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "files/file_lock.hpp"
#include "shortfall/checkpoint/checkpoint.hpp"

namespace shortfall::io {

/// Values that must not change when a run is resumed, by the name of the option.
using RecordedOptions = std::vector<std::pair<std::string, std::string>>;

/// Writes the values to a checkpoint.
void archive(StateWriter& state, const RecordedOptions& options);

/// The checkpoint file of a run, or none. No other process can use it in the meantime.
class ResumableRun {
 public:
  /// An empty path means no checkpoint. Throws OutputError if another process uses the file.
  explicit ResumableRun(const std::string& path);

  bool has_checkpoint() const { return !path_.empty(); }
  const std::string& path() const { return path_; }

  /// Calls `read` with the saved state, if there is one, and returns whether it did. Throws
  /// InvalidInput if the file is damaged or has more than what `read` takes.
  bool load(const std::function<void(StateReader&)>& read) const;

  /// Reads recorded options. Throws InvalidInput that names the first one that has changed.
  void check_recorded(const RecordedOptions& options, StateReader& state) const;

  /// Writes the state. A full disk may have room later, so failing is not fatal yet: it calls
  /// `on_failure` for the first of several failures in a row and returns false.
  bool save(const StateWriter& state, const std::function<void()>& on_failure);

  /// Why the last state could not be written; empty if it was.
  const std::string& save_error() const { return save_error_; }

 private:
  std::string path_;
  std::optional<FileLock> lock_;
  std::string save_error_;
};

}  // namespace shortfall::io

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

/// Writes names and values to a checkpoint, and reads them.
void archive(StateWriter& state, const RecordedOptions& options);
void archive(StateReader& state, RecordedOptions& options);

/// The checkpoint file of a run, or none. No other process can use it in the meantime. Its content
/// begins with its kind, the command that wrote it: "learn", "inventory train" or "reproduce".
class ResumableRun {
 public:
  /// An empty path means no checkpoint. Throws OutputError if another process uses the file.
  ResumableRun(const std::string& path, std::string kind);

  bool has_checkpoint() const { return !path_.empty(); }
  const std::string& path() const { return path_; }

  /// Calls `read` with the saved state, if there is one, and returns whether it did. Throws
  /// InvalidInput if the file is damaged, of another kind, or has more than what `read` takes.
  bool load(const std::function<void(StateReader&)>& read) const;

  /// Whether options that are not among those given must not change, either.
  enum class OtherOptions { fixed, may_change };
  /// Throws ChangedOption that names all options that have changed.
  void check_recorded(const RecordedOptions& options, const RecordedOptions& before,
                      OtherOptions others = OtherOptions::fixed) const;
  /// Reads recorded options and compares them.
  void check_recorded(const RecordedOptions& options, StateReader& state) const;

  /// Saves the state that `write` writes. A full disk may have room later, so failing is not fatal
  /// yet: it calls `on_failure` for the first of several failures in a row and returns false.
  bool save(
      const std::function<void(StateWriter&)>& write,
      const std::function<void()>& on_failure = [] {});

  /// Why the last state could not be written; empty if it was.
  const std::string& save_error() const { return save_error_; }

 private:
  std::string path_;
  std::string kind_;
  std::optional<FileLock> lock_;
  std::string save_error_;
};

}  // namespace shortfall::io

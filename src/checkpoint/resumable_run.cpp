#include "checkpoint/resumable_run.hpp"

#include <fmt/format.h>

#include "files/atomic_file.hpp"
#include "shortfall/error.hpp"

namespace shortfall::io {

void archive(StateWriter& state, const RecordedOptions& options) {
  for (const auto& [name, value] : options) state(value);
}

ResumableRun::ResumableRun(const std::string& path) : path_(path) {
  if (has_checkpoint()) lock_.emplace(path_);
}

bool ResumableRun::load(const std::function<void(StateReader&)>& read) const {
  if (!has_checkpoint()) return false;
  const std::optional<std::string> bytes = read_checkpoint(path_);
  if (!bytes) return false;
  StateReader state(path_, *bytes);
  read(state);
  state.finish();
  return true;
}

void ResumableRun::check_recorded(const RecordedOptions& options, StateReader& state) const {
  for (const auto& [name, value] : options) {
    std::string before;
    state(before);
    if (before == value) continue;
    throw InvalidInput(fmt::format(
        "{} is {}, but the checkpoint {} was made with {}; accepted: the options of the "
        "checkpoint, or another checkpoint file",
        name, value, path_, before));
  }
}

bool ResumableRun::save(const StateWriter& state, const std::function<void()>& on_failure) {
  try {
    write_checkpoint(path_, state.bytes());
    save_error_.clear();
    return true;
  } catch (const OutputError& error) {
    const bool is_first = save_error_.empty();
    save_error_ = error.what();
    if (is_first) on_failure();
    return false;
  }
}

}  // namespace shortfall::io

#include "apps/shortfall/resumable_run.hpp"

#include <fmt/format.h>

#include "files/atomic_file.hpp"
#include "shortfall/error.hpp"

namespace shortfall::app {

void archive(io::StateWriter& state, const RecordedOptions& options) {
  for (const auto& [name, value] : options) state(value);
}

ResumableRun::ResumableRun(const std::string& path, std::string activity)
    : path_(path), activity_(std::move(activity)) {
  if (has_checkpoint()) lock_.emplace(path_);
}

bool ResumableRun::load(const std::function<void(io::StateReader&)>& read) const {
  if (!has_checkpoint()) return false;
  const std::optional<std::string> bytes = io::read_checkpoint(path_);
  if (!bytes) return false;
  io::StateReader state(path_, *bytes);
  read(state);
  state.finish();
  return true;
}

void ResumableRun::check_recorded(const RecordedOptions& options, io::StateReader& state) const {
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

bool ResumableRun::save(const io::StateWriter& state) {
  try {
    io::write_checkpoint(path_, state.bytes());
    save_error_.clear();
    return true;
  } catch (const io::OutputError& error) {
    if (save_error_.empty()) {
      fmt::print(stderr, "shortfall: {}; {} continues\n", error.what(), activity_);
    }
    save_error_ = error.what();
    return false;
  }
}

}  // namespace shortfall::app

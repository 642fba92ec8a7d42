#include "checkpoint/resumable_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

#include "files/atomic_file.hpp"
#include "shortfall/errors/error.hpp"

namespace shortfall::io {

void archive(StateWriter& state, const RecordedOptions& options) {
  state(std::uint64_t{options.size()});
  for (const auto& [name, value] : options) {
    state(name);
    state(value);
  }
}

void archive(StateReader& state, RecordedOptions& options) {
  std::uint64_t count = 0;
  state(count);
  state.expect(count);
  options.resize(count);
  for (auto& [name, value] : options) {
    state(name);
    state(value);
  }
}

ResumableRun::ResumableRun(const std::string& path, std::string kind)
    : path_(path), kind_(std::move(kind)) {
  if (has_checkpoint()) lock_.emplace(path_);
}

bool ResumableRun::load(const std::function<void(StateReader&)>& read) const {
  if (!has_checkpoint()) return false;
  const std::optional<Checkpoint> checkpoint = load_checkpoint(path_);
  if (!checkpoint) return false;
  StateReader state(path_, checkpoint->bytes, checkpoint->version);
  std::string kind;
  state(kind);
  if (kind != kind_) {
    throw InvalidInput(fmt::format(
        "{}: this is a checkpoint of shortfall {}; accepted: one of shortfall {}, or another file",
        path_, kind, kind_));
  }
  read(state);
  state.finish();
  return true;
}

void ResumableRun::check_recorded(const RecordedOptions& options, const RecordedOptions& before,
                                  OtherOptions others) const {
  std::vector<ChangedOption::Change> changes;
  std::vector<std::string> names;
  for (const auto& [name, value] : options) {
    const auto saved = std::ranges::find(before, name, &RecordedOptions::value_type::first);
    const std::string& was = saved == before.end() ? "none" : saved->second;
    names.push_back(name.substr(name.starts_with("--") ? 2 : 0));
    if (was != value) changes.push_back({names.back(), value, was});
  }
  if (changes.empty()) return;
  if (others == OtherOptions::fixed) names.clear();
  throw ChangedOption(std::move(changes), std::move(names), path_);
}

void ResumableRun::check_recorded(const RecordedOptions& options, StateReader& state) const {
  RecordedOptions before;
  archive(state, before);
  check_recorded(options, before);
}

bool ResumableRun::save(const std::function<void(StateWriter&)>& write,
                        const std::function<void()>& on_failure) {
  try {
    StateWriter state;
    state(kind_);
    write(state);
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

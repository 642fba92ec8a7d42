#include "learn_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "shortfall/error.hpp"
#include "shortfall/io/atomic_file.hpp"
#include "shortfall/io/checkpoint.hpp"
#include "shortfall/io/csv.hpp"

namespace shortfall::app {
namespace {

using Next = io::TransitionStream::Next;

/// What must be the same in every part of a run, by the name of its option.
std::vector<std::pair<std::string, std::string>> recorded(const LearnOptions& options) {
  return {
      {"--algorithm", options.algorithm},
      {"--loss", AnyLoss::parse(options.loss).word()},
      {"--gamma", fmt::format("{}", options.gamma)},
      {"--lambda", fmt::format("{}", options.lambda)},
      {"--step", learn::AnyStep::parse(options.step).word()},
      {"--average-from", options.average_from ? fmt::format("{}", *options.average_from) : "no"},
      {"--warmup", fmt::format("{}", options.warmup)},
      {"--skip-bad-rows", options.skip_bad_rows ? "yes" : "no"}};
}

template <class Archive>
void archive(Archive& state, io::StreamPosition& position) {
  state(position.source);
  state(position.line_ended);
  state(position.dimension);
  state(position.fingerprint);
  state(position.bytes);
  state(position.lines);
  state(position.rows);
  state(position.skipped_rows);
  state(position.header);
}

void check_options(const LearnOptions& options, io::StateReader& saved) {
  for (const auto& [name, value] : recorded(options)) {
    std::string before;
    saved(before);
    if (before == value) continue;
    throw InvalidInput(fmt::format(
        "{} is {}, but the checkpoint {} was made with {}; accepted: the options of the "
        "checkpoint, or another file",
        name, value, options.checkpoint, before));
  }
}

}  // namespace

LearnRun::LearnRun(const LearnOptions& options)
    : options_(options),
      lock_(options.checkpoint.empty()
                ? std::optional<io::FileLock>()
                : std::optional<io::FileLock>(std::in_place, options.checkpoint)),
      saved_(load(options)),
      stream_(options.file, options.skip_bad_rows ? io::BadRow::skip : io::BadRow::reject,
              saved_.position),
      next_save_(Clock::now() + options.checkpoint_period()) {
  if (saved_.state.empty()) return;
  make_learner();
  resumed_after_ = stream_.rows();
}

/// The checkpoint, or the beginning where there is none.
LearnRun::Saved LearnRun::load(const LearnOptions& options) {
  Saved saved;
  if (options.checkpoint.empty()) return saved;
  const std::optional<std::string> bytes = io::read_checkpoint(options.checkpoint);
  if (!bytes) return saved;
  io::StateReader state(options.checkpoint, *bytes);
  check_options(options, state);
  archive(state, saved.position);
  state(saved.state);
  state.finish();
  return saved;
}

void LearnRun::make_learner() {
  learner_.emplace(stream_.dimension(), options_.learner());
  if (saved_.state.empty()) return;
  io::StateReader state(options_.checkpoint, saved_.state);
  learner_->archive(state);
  state.finish();
}

void LearnRun::save() {
  if (options_.checkpoint.empty() || !learner_ || !unsaved_) return;
  io::StateWriter learner;
  learner_->archive(learner);
  io::StateWriter state;
  for (const auto& [name, value] : recorded(options_)) state(value);
  io::StreamPosition position = stream_.position();
  archive(state, position);
  state(learner.bytes());
  io::write_checkpoint(options_.checkpoint, state.bytes());
  unsaved_ = false;
  next_save_ = Clock::now() + options_.checkpoint_period();
}

learn::Status LearnRun::status() const {
  if (!learner_) return learn::Status::ok;
  const auto finite = [](double x) { return std::isfinite(x); };
  return std::ranges::all_of(learner_->theta(), finite) ? learner_->status()
                                                        : learn::Status::diverged;
}

void LearnRun::learn(const std::function<void(const LearnRun&)>& on_wait) {
  try {
    while (learn_buffered()) {
      on_wait(*this);
      if (Clock::now() >= next_save_) save();
      const bool ready = signals_.wait(stream_.descriptor(), patience());
      if (!signals_.caught().empty()) break;
      if (ready) stream_.fill();
    }
  } catch (const InvalidInput&) {
    save();  // what came before the bad row is good
    throw;
  }
  if (status() != learn::Status::diverged) save();
}

/// Learns from the rows that are there; false when there will be no more, or no use in them.
bool LearnRun::learn_buffered() {
  for (;;) {
    const Next next = stream_.next();
    if (!learner_ && stream_.dimension() > 0) make_learner();
    if (next != Next::row) return next == Next::starved;
    const io::Transition& transition = stream_.transition();
    const learn::Status status =
        transition.terminal
            ? learner_->update_terminal(transition.phi, transition.cost)
            : learner_->update(transition.phi, transition.cost, transition.phi_next);
    unsaved_ = true;
    if (status == learn::Status::diverged) return false;
  }
}

/// How long to wait for input before there is something else to do.
std::chrono::milliseconds LearnRun::patience() const {
  using std::chrono::milliseconds;
  constexpr milliseconds look_around{500};
  if (options_.checkpoint.empty() || !unsaved_) return look_around;
  const auto left = std::chrono::ceil<milliseconds>(next_save_ - Clock::now());
  return std::clamp(left, milliseconds(0), look_around);
}

}  // namespace shortfall::app

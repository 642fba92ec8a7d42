#include "apps/shortfall/learn_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "files/atomic_file.hpp"
#include "require.hpp"
#include "shortfall/error.hpp"
#include "text/csv.hpp"

namespace shortfall::app {
namespace {

using Next = io::TransitionStream::Next;

/// A learner that forgets adapts to a change within a few half-lives: it must be found before.
std::uint64_t longest_reference(const LearnRunOptions& options) {
  if (!options.learner.half_life) return learn::DriftAlarm::unlimited;
  return static_cast<std::uint64_t>(2.0 * *options.learner.half_life);
}

}  // namespace

LearnRun::LearnRun(const LearnRunOptions& options, const Notices& notices)
    : options_(options),
      notices_(notices),
      run_(options.checkpoint, learn_checkpoint_kind),
      saved_(load()),
      stream_(options.file, options.skip_bad_rows ? io::BadRow::skip : io::BadRow::reject,
              saved_.position,
              is_averager(options.learner.algorithm) ? io::FeatureRule::averager
                                                     : io::FeatureRule::finite),
      drift_{.alarm = learn::DriftAlarm(options.false_alarm_rate, longest_reference(options))},
      next_save_(Clock::now() + options.checkpoint_period()) {
  signals_.emplace(StopSignals::Delivery::while_waiting);
  begin_stream();
  if (!is_resumed()) return;
  make_learner();
  skipped_rows_ = stream_.skipped_rows();
}

/// The checkpoint, or the initial state if there is none.
LearnCheckpoint LearnRun::load() const {
  LearnCheckpoint saved;
  run_.load([&](io::StateReader& state) {
    saved.archive(state);
    run_.check_recorded(recorded_options(options_, saved.position.dimension), saved.options);
  });
  return saved;
}

void LearnRun::begin_stream() {
  if (!options_.resume_at_row) return;
  try {
    stream_.begin_with_row(*options_.resume_at_row);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("--resume-at-row: {}", error.what()));
  }
}

void LearnRun::make_learner() {
  const std::size_t d = stream_.dimension();
  try {
    if (run_.has_checkpoint()) check_checkpoint_memory(options_.learner.algorithm, d);
    if (is_resumed()) check_learner_size(saved_, options_.learner.algorithm);
    learner_.emplace(d, options_.learner);
    const std::size_t asked = options_.intervals.at.dimension;
    require(asked == 0 || asked == d, "{} features, but --at has {}; accepted: the same number", d,
            asked);
  } catch (const InvalidField& error) {  // everything else was checked with the arguments
    throw InvalidInput(fmt::format("--{}: {}", error.field(), error.what()));
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", stream_.name(), error.what()));
  }
  if (is_resumed()) {
    io::StateReader state(run_.path(), saved_.learner);
    drift_.archive(state);
    learner_->archive(state);
    state.finish();
  }
  // Not before the header is known to be good: an existing file is replaced.
  if (!options_.predictions.empty()) predictions_.emplace(options_.predictions, saved_.predictions);
}

void LearnRun::save() {
  if (!run_.has_checkpoint() || !learner_ || !unsaved_) return;
  LearnCheckpoint checkpoint;
  checkpoint.position = stream_.position();
  if (checkpoint.position.dimension == 0) return;  // no complete line has shown it
  checkpoint.options = recorded_options(options_, checkpoint.position.dimension);
  if (predictions_) checkpoint.predictions = predictions_->sync();
  io::StateWriter learner;
  drift_.archive(learner);
  learner_->archive(learner);
  checkpoint.learner = learner.bytes();
  io::StateWriter state;
  checkpoint.archive(state);
  const auto on_failure = [&] {
    notices_.say("save-failed", run_.save_error() + "; learning continues");
  };
  if (run_.save(state, on_failure)) unsaved_ = false;
  next_save_ = Clock::now() + options_.checkpoint_period();
}

learn::LearnerStatus LearnRun::status() const {
  return learner_ ? learner_->status() : learn::LearnerStatus::ok;
}

void LearnRun::learn(const Callbacks& callbacks) {
  callbacks_ = &callbacks;
  try {
    while (learn_buffered()) {
      if (predictions_ && !stream_.is_regular_file()) predictions_->flush();  // for tail -f
      callbacks.on_wait(*this);
      if (Clock::now() >= next_save_) save();
      const bool ready = signals_->wait(stream_.descriptor(), wait_limit());
      if (!signals_->caught().empty()) break;
      if (ready) stream_.fill();
    }
    if (predictions_) predictions_->flush();
  } catch (const InvalidInput&) {
    save_before_failure();
    throw;
  } catch (const io::OutputError&) {
    save_before_failure();
    throw;
  }
  if (status() != learn::LearnerStatus::diverged) save();
}

/// The rows before a bad row, or before a report that cannot be written, are valid.
void LearnRun::save_before_failure() {
  if (predictions_ && !predictions_->is_intact()) return;
  save();
  if (predictions_) predictions_->flush();
}

/// Learns from the buffered rows; false if there will be no more, or if the learner has diverged.
bool LearnRun::learn_buffered() {
  for (;;) {
    const Next next = stream_.next();
    if (!learner_ && stream_.dimension() > 0) make_learner();
    if (learner_ && stream_.skipped_rows() > skipped_rows_) skip();
    if (next != Next::row) return next == Next::starved;
    take(stream_.transition());
    if (learner_->status() == learn::LearnerStatus::diverged) return false;
  }
}

/// A skipped row breaks the trajectory: the next row starts a new episode.
void LearnRun::skip() {
  skipped_rows_ = stream_.skipped_rows();
  const bool line_ended = stream_.position().skipped_rows == skipped_rows_;
  if (!line_ended) save();
  learner_->start_episode();
  unsaved_ = line_ended;
}

void LearnRun::take(const io::Transition& transition) {
  // A last row without a line end may be incomplete: it counts for the result, but a resumed run
  // reads it again.
  if (!transition.line_ended) save();
  if (predictions_) predict(transition);
  update(transition);
  unsaved_ = transition.line_ended;
  const bool is_due = options_.report_every > 0 &&
                      learner_->status() != learn::LearnerStatus::diverged &&
                      learner_->updates() % options_.report_every == 0;
  if (is_due) callbacks_->on_report(*this);
}

void LearnRun::predict(const io::Transition& transition) {
  const double value = learner_->value(transition.phi);
  const double next = transition.terminal ? 0.0 : learner_->value(transition.phi_next);
  const double residual = transition.cost + options_.learner.gamma * next - value;
  predictions_->add(stream_.rows() + stream_.skipped_rows(), value, residual);
}

/// The one place where a row, with its weight, reaches the learner.
void LearnRun::update(const io::Transition& transition) {
  if (transition.terminal) {
    learner_->update_terminal(transition.phi, transition.cost, transition.weight);
  } else {
    learner_->update(transition.phi, transition.cost, transition.phi_next, transition.weight);
  }
  if (learner_->status() != learn::LearnerStatus::diverged) watch();
}

void LearnRun::watch() {
  if (!drift_.alarm.add(learner_->last_loss())) return;
  drift_.last_row = stream_.rows() + stream_.skipped_rows();
  notices_.say(
      "drift",
      fmt::format("warning: at row {} residuals have left what they were", drift_.last_row),
      {{"row", drift_.last_row}, {"alarms", drift_.alarm.alarms()}});
}

/// How long to wait for input before the next checkpoint or progress message is due.
std::chrono::milliseconds LearnRun::wait_limit() const {
  using std::chrono::milliseconds;
  constexpr milliseconds longest_wait{500};
  if (!run_.has_checkpoint() || !unsaved_) return longest_wait;
  const auto left = std::chrono::ceil<milliseconds>(next_save_ - Clock::now());
  return std::clamp(left, milliseconds(0), longest_wait);
}

}  // namespace shortfall::app

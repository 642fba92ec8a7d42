#include "apps/shortfall/learn_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "shortfall/error.hpp"
#include "shortfall/memory.hpp"
#include "text/csv.hpp"

namespace shortfall::app {
namespace {

using Next = io::TransitionStream::Next;

io::RecordedOptions recorded(const LearnRunOptions& options, std::size_t dimension) {
  const learn::LearnerOptions& learner = options.learner;
  const std::uint64_t warmup = learner.newton.warmup.value_or(learn::default_warmup(dimension));
  return {
      {"--algorithm", std::string(to_string(learner.algorithm))},
      {"--loss", learner.loss.to_string()},
      {"--gamma", fmt::format("{}", learner.gamma)},
      {"--lambda", fmt::format("{}", learner.lambda)},
      {"--step", learner.step.to_string()},
      {"--average-from", learner.average_from ? fmt::format("{}", *learner.average_from) : "no"},
      {"--warmup", fmt::format("{}", warmup)},
      {"--skip-bad-rows", options.skip_bad_rows ? "yes" : "no"}};
}

/// Three copies: the learner, its state as bytes, and the checkpoint that contains them.
void check_checkpoint_memory(const LearnRunOptions& options, std::size_t dimension) {
  if (options.checkpoint.empty() || options.learner.algorithm != learn::Algorithm::newton) return;
  check_memory(3.0 * learn::newton_memory(dimension),
               fmt::format("a checkpoint of newton with {} features", dimension),
               "fewer features, --algorithm td, or no --checkpoint");
}

}  // namespace

LearnRun::LearnRun(const LearnRunOptions& options)
    : options_(options),
      run_(options.checkpoint),
      saved_(load()),
      stream_(options.file, options.skip_bad_rows ? io::BadRow::skip : io::BadRow::reject,
              saved_.position),
      next_save_(Clock::now() + options.checkpoint_period()) {
  if (saved_.state.empty()) return;
  make_learner();
  skipped_rows_ = stream_.skipped_rows();
}

/// The checkpoint, or the initial state if there is none.
LearnRun::Saved LearnRun::load() const {
  Saved saved;
  run_.load([&](io::StateReader& state) {
    saved.position.archive(state);
    run_.check_recorded(recorded(options_, saved.position.dimension), state);
    state(saved.state);
  });
  return saved;
}

void LearnRun::make_learner() {
  const std::size_t d = stream_.dimension();
  try {
    check_checkpoint_memory(options_, d);
    learner_.emplace(d, options_.learner);
  } catch (const InvalidField& error) {  // everything else was checked with the arguments
    throw InvalidInput(fmt::format("--{}: {}", error.field(), error.what()));
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", stream_.name(), error.what()));
  }
  if (saved_.state.empty()) return;
  io::StateReader state(run_.path(), saved_.state);
  learner_->archive(state);
  state.finish();
}

void LearnRun::save() {
  if (!run_.has_checkpoint() || !learner_ || !unsaved_) return;
  io::StreamPosition position = stream_.position();
  if (position.dimension == 0) return;  // no complete line has shown the number of features
  io::StateWriter learner;
  learner_->archive(learner);
  io::StateWriter state;
  position.archive(state);
  archive(state, recorded(options_, position.dimension));
  state(learner.bytes());
  if (run_.save(state, [&] { print_save_failure(run_.save_error(), "learning"); }))
    unsaved_ = false;
  next_save_ = Clock::now() + options_.checkpoint_period();
}

learn::LearnerStatus LearnRun::status() const {
  return learner_ ? learner_->status() : learn::LearnerStatus::ok;
}

void LearnRun::learn(const std::function<void(const LearnRun&)>& on_wait) {
  try {
    while (learn_buffered()) {
      on_wait(*this);
      if (Clock::now() >= next_save_) save();
      const bool ready = signals_.wait(stream_.descriptor(), wait_limit());
      if (!signals_.caught().empty()) break;
      if (ready) stream_.fill();
    }
  } catch (const InvalidInput&) {
    save();  // the rows before the bad one are valid
    throw;
  }
  if (status() != learn::LearnerStatus::diverged) save();
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
  if (transition.terminal) {
    learner_->update_terminal(transition.phi, transition.cost);
  } else {
    learner_->update(transition.phi, transition.cost, transition.phi_next);
  }
  unsaved_ = transition.line_ended;
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

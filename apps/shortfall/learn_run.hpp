#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "apps/shortfall/stop_signals.hpp"
#include "checkpoint/resumable_run.hpp"
#include "shortfall/formats/transition_stream.hpp"
#include "shortfall/learn/any_learner.hpp"

namespace shortfall::app {

struct LearnRunOptions {
  std::string file = "-";
  learn::LearnerOptions learner = {.loss = Mean(), .gamma = 0.0, .lambda = 0.5};
  bool skip_bad_rows = false;
  std::string checkpoint;         ///< empty: none
  double checkpoint_every = 5.0;  ///< seconds

  std::chrono::nanoseconds checkpoint_period() const {
    return std::chrono::round<std::chrono::nanoseconds>(
        std::chrono::duration<double>(checkpoint_every));
  }
};

/// A learner that consumes a stream, and its checkpoint.
class LearnRun {
 public:
  /// Opens the stream, and resumes from the checkpoint if there is one. Throws InvalidInput that
  /// names the options in which the checkpoint differs.
  explicit LearnRun(const LearnRunOptions& options);

  /// Learns until the stream ends, the learner diverges or a signal arrives. Saves checkpoints
  /// along the way and at the end; one that cannot be written is tried again later. A bad row is
  /// thrown as InvalidInput after the rows before it are saved. `on_wait` is called from time to
  /// time, before more input is read.
  void learn(const std::function<void(const LearnRun&)>& on_wait);

  const LearnRunOptions& options() const { return options_; }
  const io::TransitionStream& stream() const { return stream_; }
  /// None until the stream has shown the number of features.
  const std::optional<learn::AnyLearner>& learner() const { return learner_; }
  learn::LearnerStatus status() const;
  std::string_view stopped_by() const { return signals_.caught(); }
  bool is_resumed() const { return !saved_.state.empty(); }
  /// Why the last checkpoint could not be written; empty if it was.
  const std::string& save_error() const { return run_.save_error(); }

 private:
  using Clock = std::chrono::steady_clock;
  struct Saved {
    io::StreamPosition position;
    std::string state;
  };
  Saved load() const;
  void make_learner();
  bool learn_buffered();
  std::chrono::milliseconds wait_limit() const;
  void skip();
  void take(const io::Transition& transition);
  void save();

  LearnRunOptions options_;
  io::ResumableRun run_;
  Saved saved_;
  io::TransitionStream stream_;
  /// After the stream: opening a pipe may block, and must stay interruptible.
  StopSignals signals_{StopSignals::Delivery::while_waiting};
  std::optional<learn::AnyLearner> learner_;
  Clock::time_point next_save_;
  bool unsaved_ = false;
  std::uint64_t skipped_rows_ = 0;  // as of the last call of skip()
};

}  // namespace shortfall::app

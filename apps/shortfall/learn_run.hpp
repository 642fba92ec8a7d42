#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "apps/shortfall/drift_watch.hpp"
#include "apps/shortfall/learn_checkpoint.hpp"
#include "apps/shortfall/learn_intervals.hpp"
#include "apps/shortfall/notices.hpp"
#include "apps/shortfall/predictions_file.hpp"
#include "apps/shortfall/stop_signals.hpp"
#include "checkpoint/resumable_run.hpp"
#include "shortfall/formats/transition_stream.hpp"
#include "shortfall/learn/any_learner.hpp"

namespace shortfall::app {

struct LearnRunOptions {
  std::string file = "-";
  learn::LearnerOptions learner = {.loss = Mean(), .gamma = 0.0, .lambda = 0.5};
  bool skip_bad_rows = false;
  std::string checkpoint;                           ///< empty: none
  double checkpoint_every = 5.0;                    ///< seconds
  std::optional<std::uint64_t> resume_at_row = {};  ///< with which a pipe begins
  std::uint64_t report_every = 0;                   ///< updates; 0: no reports
  std::string predictions;                          ///< empty: none
  double false_alarm_rate = 0.01;                   ///< of the alarm about drift
  IntervalRequest intervals = {};

  std::chrono::nanoseconds checkpoint_period() const {
    return std::chrono::round<std::chrono::nanoseconds>(
        std::chrono::duration<double>(checkpoint_every));
  }
};

/// A learner that consumes a stream, its checkpoint and its predictions.
class LearnRun {
 public:
  /// What is called in the course of a run.
  struct Callbacks {
    std::function<void(const LearnRun&)> on_wait;    ///< now and then, before more input is read
    std::function<void(const LearnRun&)> on_report;  ///< after every `report_every` updates
  };

  /// Opens the stream, and resumes from the checkpoint if there is one. Throws InvalidInput that
  /// names the options in which the checkpoint differs.
  LearnRun(const LearnRunOptions& options, const Notices& notices);

  /// Learns until the stream ends, the learner diverges or a signal arrives. Saves checkpoints
  /// along the way and at the end; one that cannot be written is tried again later. A bad row is
  /// thrown as InvalidInput, and a report that cannot be written as OutputError, after the rows
  /// before are saved. If predictions cannot be written, that is thrown as OutputError, and the
  /// last checkpoint stays.
  void learn(const Callbacks& callbacks);

  const LearnRunOptions& options() const { return options_; }
  const io::TransitionStream& stream() const { return stream_; }
  /// None until the stream has shown the number of features.
  const std::optional<learn::AnyLearner>& learner() const { return learner_; }
  const DriftWatch& drift() const { return drift_; }
  learn::LearnerStatus status() const;
  std::string_view stopped_by() const { return signals_->caught(); }
  bool is_resumed() const { return !saved_.learner.empty(); }
  /// Where the checkpoint was in the stream when this run began.
  const io::StreamPosition& resumed_at() const { return saved_.position; }
  /// Why the last checkpoint could not be written; empty if it was.
  const std::string& save_error() const { return run_.save_error(); }

 private:
  using Clock = std::chrono::steady_clock;
  LearnCheckpoint load() const;
  void begin_stream();
  void make_learner();
  bool learn_buffered();
  std::chrono::milliseconds wait_limit() const;
  void skip();
  void take(const io::Transition& transition);
  void predict(const io::Transition& transition);
  void update(const io::Transition& transition);
  void watch();
  void save();
  void save_before_failure();

  LearnRunOptions options_;
  const Notices& notices_;
  const Callbacks* callbacks_ = nullptr;
  /// From when the stream is open, because opening a pipe may block and must stay interruptible, to
  /// when the lock of the checkpoint is gone.
  std::optional<StopSignals> signals_;
  io::ResumableRun run_;
  LearnCheckpoint saved_;  // as loaded
  io::TransitionStream stream_;
  std::optional<learn::AnyLearner> learner_;
  DriftWatch drift_;
  std::optional<PredictionsFile> predictions_;
  Clock::time_point next_save_;
  bool unsaved_ = false;
  std::uint64_t skipped_rows_ = 0;  // as of the last call of skip()
};

}  // namespace shortfall::app

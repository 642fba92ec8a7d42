#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>

#include "options.hpp"
#include "shortfall/io/file_lock.hpp"
#include "shortfall/io/transition_stream.hpp"
#include "shortfall/learn/any_learner.hpp"
#include "stop_signals.hpp"

namespace shortfall::app {

/// A learner that eats a stream, and its checkpoint.
class LearnRun {
 public:
  /// Opens the stream, and goes on from the checkpoint where there is one. Throws InvalidInput
  /// where the checkpoint is of other options, and names them.
  explicit LearnRun(const LearnOptions& options);

  /// Learns until the stream ends, the learner has diverged or a signal says stop; checkpoints on
  /// the way, and at the end. A bad row is thrown as InvalidInput, and what came before it is in
  /// the checkpoint. `on_wait` is called now and then, before more is read.
  void learn(const std::function<void(const LearnRun&)>& on_wait);

  const io::TransitionStream& stream() const { return stream_; }
  /// None until the stream has said how many features there are.
  const std::optional<learn::AnyLearner>& learner() const { return learner_; }
  learn::Status status() const;
  std::string_view stopped_by() const { return signals_.caught(); }
  /// Rows that the checkpoint had seen, where this run goes on from one.
  std::optional<std::uint64_t> resumed_after() const { return resumed_after_; }

 private:
  using Clock = std::chrono::steady_clock;
  struct Saved {
    io::StreamPosition position;
    std::string state;
  };
  static Saved load(const LearnOptions& options);
  void make_learner();
  bool learn_buffered();
  std::chrono::milliseconds patience() const;
  void save();

  const LearnOptions& options_;
  std::optional<io::FileLock> lock_;
  StopSignals signals_;
  Saved saved_;
  io::TransitionStream stream_;
  std::optional<learn::AnyLearner> learner_;
  std::optional<std::uint64_t> resumed_after_;
  Clock::time_point next_save_;
  bool unsaved_ = false;
};

}  // namespace shortfall::app

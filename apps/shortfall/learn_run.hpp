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
  /// the way, and at the end; one that cannot be written is tried again later. A bad row is thrown
  /// as InvalidInput, and what came before it is in the checkpoint. `on_wait` is called now and
  /// then, before more is read.
  void learn(const std::function<void(const LearnRun&)>& on_wait);

  const io::TransitionStream& stream() const { return stream_; }
  /// None until the stream has said how many features there are.
  const std::optional<learn::AnyLearner>& learner() const { return learner_; }
  learn::Status status() const;
  std::string_view stopped_by() const { return signals_.caught(); }
  bool is_resumed() const { return !saved_.state.empty(); }
  /// Throws OutputError where the last checkpoint could not be written; the result was to be
  /// printed first.
  void check_saved() const;

 private:
  using Clock = std::chrono::steady_clock;
  struct Saved {
    io::StreamPosition position;
    std::string state;
  };
  static Saved load(const LearnOptions& options);
  void make_learner();
  bool learn_buffered();
  std::chrono::milliseconds wait_timeout() const;
  void skip();
  void take(const io::Transition& transition);
  void save();
  void try_to_save();

  LearnOptions options_;
  std::optional<io::FileLock> lock_;
  Saved saved_;
  io::TransitionStream stream_;
  StopSignals signals_;  // after the stream: to open a pipe may take long, and must not ignore them
  std::optional<learn::AnyLearner> learner_;
  Clock::time_point next_save_;
  bool unsaved_ = false;
  std::uint64_t skipped_rows_ = 0;  // that the learner knows of
  std::string save_error_;          // of the last attempt; empty: none
};

}  // namespace shortfall::app

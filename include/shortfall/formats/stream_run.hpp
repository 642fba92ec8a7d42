#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "shortfall/checkpoint/checkpoint.hpp"
#include "shortfall/formats/transition_stream.hpp"
#include "shortfall/learn/any_learner.hpp"
#include "shortfall/learn/drift_alarm.hpp"
#include "shortfall/learn/outlier_watch.hpp"

namespace shortfall::learn {

struct StreamOptions {
  LearnerOptions learner;
  bool skip_bad_rows = false;  ///< or else a bad row ends the run with InvalidInput
  /// A CSV file `row,line,reason,text` with one line per bad row, which are then skipped; empty:
  /// none.
  std::string bad_rows = {};
  /// Bad rows are skipped, unless they are more than this share of a thousand rows: then one of
  /// them ends the run (RowRules::largest_bad_share).
  double largest_bad_share = 1.0;
  io::CostRange costs = {};        ///< that are learned from
  double false_alarm_rate = 0.01;  ///< of the alarm about drift
  std::string checkpoint = {};     ///< the file; empty: none
  std::chrono::nanoseconds checkpoint_every = std::chrono::seconds(5);
  /// A resumed pipe without `seq` begins with this row of the stream, from 1 on: rows that the
  /// checkpoint has are not learned again. None: it continues with the next row.
  std::optional<std::uint64_t> resume_at_row = {};
  /// A CSV file `row,value,residual` with one line per row, or a pipe; empty: none.
  std::string predictions = {};
  /// Called once, with the number of features, before anything is learned or written. May throw.
  std::function<void(std::size_t)> check_dimension = {};

  bool skips_bad_rows() const {
    return skip_bad_rows || !bad_rows.empty() || largest_bad_share < 1.0;
  }
};

/// The alarm about drift of a stream, with the row of the last one.
struct DriftWatch {
  DriftAlarm alarm;
  std::uint64_t last_row = 0;  ///< 0: there was none

  template <class Archive>
  void archive(Archive& state) {
    alarm.archive(state);
    state(last_row);
  }
};

/// A learner on the rows of a file or a pipe, which can be stopped and resumed at any time:
///
///     learn::StreamRun run("stream.csv", {.learner = {.loss = Mean(), .gamma = 0.9},
///                                         .checkpoint = "state.ckpt"});
///     for (const io::Transition& row : run) {
///       if (run.learner()->updates() % 1000 == 0) show(run.learner()->theta());
///     }
///
/// Each step of the loop waits for the next row and learns from it. If the checkpoint exists, the
/// run continues after the last row that it covers, and ends with the bits of a run that was never
/// stopped, in the learner, the checkpoint and the file of predictions:
/// - a file is read from there on, and must be the same, unchanged or longer;
/// - a pipe continues with the next row; it may repeat rows that have `seq`, which count once, or
///   begin with the row `resume_at_row`.
/// Checkpoints are those of the command `shortfall learn`, and either continues those of the other;
/// those of 0.2.0 are read, too. Options that decide what is learned, fixed_options, must be those
/// of the checkpoint. All others may change.
///
/// The checkpoint is written every `checkpoint_every`, at the end of the stream, before a bad row
/// is reported, and by save(); each time it replaces the last one as a whole, so that a killed run
/// loses only what it learned since. One that cannot be written, as on a full disk, is tried again
/// later: save_error(). No other process can use the checkpoint and the predictions meanwhile.
///
/// A last row without a line end may be incomplete. It counts for the result, but not for the
/// checkpoint: a resumed run reads it again. A skipped bad row ends the episode. Once the learner
/// has diverged, the run has ended, and the checkpoint remains the last one before.
///
/// Files of predictions and of bad rows may be moved or emptied by others at any time. A run goes
/// on with a new file after reopen(), and one that resumes does, too.
class StreamRun {
 public:
  using Next = io::TransitionStream::Next;
  using Iterator = io::TransitionIterator<StreamRun>;

  /// Opens the stream `path`, as TransitionStream does, and resumes from the checkpoint if there is
  /// one. Throws InvalidInput, and in particular
  /// - io::ChangedOption if an option differs from that of the checkpoint,
  /// - InvalidField "resume_at_row", "predictions", "bad_rows", "warmup", "loss" or
  ///   "refactor_every".
  /// With a checkpoint, the loss must be one that has a name, and refactor_every the default.
  StreamRun(const std::string& path, const StreamOptions& options);
  StreamRun(StreamRun&&) noexcept;
  StreamRun& operator=(StreamRun&&) noexcept;
  ~StreamRun();  ///< does not save

  Iterator begin() { return Iterator(*this); }
  static std::default_sentinel_t end() { return {}; }

  /// What the loop consists of, for programs that wait in their own way. next() learns from the
  /// next buffered row; after `starved`, call wait(), or fill() once stream().descriptor() is
  /// ready, at the latest after wait_limit(), because next() also saves checkpoints that are due. A
  /// bad row is thrown as InvalidInput, and predictions that cannot be written as OutputError,
  /// after the rows before are saved. Any other exception ends the run with the last checkpoint.
  [[nodiscard]] Next next();
  void wait(std::chrono::milliseconds longest = longest_wait);
  void fill() { stream_->fill(); }
  std::chrono::milliseconds wait_limit() const;
  /// next() and wait() until there is a row, or false at the end.
  bool advance();
  const io::Transition& transition() const { return stream_->transition(); }

  /// Writes predictions, and the checkpoint if there is anything new. To be called if a loop is
  /// left before the end of the stream.
  void save();
  /// Saves, and continues predictions and bad rows at their paths, from which the files were moved.
  /// Throws OutputError, and InvalidField if something else is there.
  void reopen();
  /// Saves, and lets other processes use the files: the run has ended. Throws OutputError if the
  /// checkpoint cannot be written.
  void close();

  const StreamOptions& options() const { return options_; }
  const io::TransitionStream& stream() const { return *stream_; }
  /// None until the stream has shown the number of features.
  const std::optional<AnyLearner>& learner() const { return learner_; }
  LearnerStatus status() const { return learner_ ? learner_->status() : LearnerStatus::ok; }
  /// The status as a word: that of the learner, or `outlier` if that is ok or not-settled but a
  /// single row has moved the values by orders of magnitude (OutlierWatch::is_upset).
  std::string_view status_name() const;
  const OutlierWatch& outliers() const { return outliers_; }
  bool found_outlier() const { return found_outlier_; }  ///< the last row was one
  const DriftWatch& drift() const { return drift_; }
  bool raised_alarm() const { return raised_alarm_; }  ///< the last row did
  bool is_resumed() const { return is_resumed_; }
  /// Where the checkpoint was in the stream when this run began.
  const io::StreamPosition& resumed_at() const { return resumed_at_; }
  /// Whether rows that the input repeats would be learned twice: a pipe was resumed, rows have no
  /// `seq`, and `resume_at_row` does not tell where it begins.
  bool may_learn_twice() const {
    return is_resumed() && !stream_->is_regular_file() && resumed_at_.seen.empty() &&
           !options_.resume_at_row;
  }
  /// Why the last checkpoint could not be written; empty if it was.
  const std::string& save_error() const;
  /// Files that were not those of the checkpoint, so that others are continued; empty: none.
  std::string file_notice() const;
  /// The last bad row that this run has skipped.
  struct BadRow {
    std::uint64_t row = 0;  ///< its number; 0: there is none, or the run is closed
    std::string reason = {};
  };
  BadRow last_bad_row() const;

  static constexpr std::chrono::milliseconds longest_wait{500};

 private:
  using Clock = std::chrono::steady_clock;
  struct Files;
  void open(const std::string& path);
  void make_learner(io::StateReader* saved);
  void skip();
  std::uint64_t row_number() const { return stream_->rows() + stream_->skipped_rows(); }
  LearnerStatus take(const io::Transition& row);
  void predict(const io::Transition& row);
  void save_state();

  StreamOptions options_;
  std::unique_ptr<Files> files_;  // none once closed
  io::StreamPosition resumed_at_;
  std::optional<io::TransitionStream> stream_;
  std::optional<AnyLearner> learner_;
  DriftWatch drift_;
  OutlierWatch outliers_;
  Clock::time_point next_save_;
  bool is_unsaved_ = false;
  bool raised_alarm_ = false;
  bool found_outlier_ = false;
  bool ends_in_line_ = false;  // the last row has no line end: the state must not be saved
  bool watches_outliers_ = true;
  bool is_resumed_ = false;
  bool has_ended_ = false;
};

}  // namespace shortfall::learn

#include "shortfall/formats/stream_run.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "checkpoint/resumable_run.hpp"
#include "files/atomic_file.hpp"
#include "files/file_uses.hpp"
#include "formats/growing_csv.hpp"
#include "formats/stream_checkpoint.hpp"
#include "shortfall/errors/error.hpp"
#include "text/csv.hpp"

namespace shortfall::learn {
namespace {

/// A learner that forgets adapts to a change within a few half-lives: it must be found before.
std::uint64_t longest_reference(const LearnerOptions& learner) {
  if (!learner.half_life) return DriftAlarm::unlimited;
  return static_cast<std::uint64_t>(2.0 * *learner.half_life);
}

/// Checkpoints hold the names of options, and a run that resumes must have the same.
void check_can_be_recorded(const StreamOptions& options) {
  if (options.checkpoint.empty()) return;
  if (std::holds_alternative<CustomLoss>(options.learner.loss.variant())) {
    throw InvalidField("loss",
                       "a checkpoint cannot hold a user-defined loss; accepted: a loss with a "
                       "name, or no checkpoint");
  }
  if (options.learner.newton.refactor_every) {
    throw InvalidField("refactor_every",
                       fmt::format("a checkpoint does not hold refactor_every = {}; accepted: the "
                                   "default, or no checkpoint",
                                   *options.learner.newton.refactor_every));
  }
}

/// A value below 0 or above 1, and a range without costs, would make every row bad.
void check_rules(const StreamOptions& options) {
  if (!(options.largest_bad_share >= 0.0 && options.largest_bad_share <= 1.0)) {
    throw InvalidField("max_bad_share", fmt::format("found {}; accepted: a share from 0 to 1",
                                                    options.largest_bad_share));
  }
  const io::CostRange& costs = options.costs;
  if (!costs.holds_any()) {
    throw InvalidField("cost_range",
                       fmt::format("found {} and {}; accepted: two numbers, the smaller one first; "
                                   "-inf and inf for no limit",
                                   costs.low, costs.high));
  }
}

}  // namespace

/// What other processes cannot use while the run lasts.
struct StreamRun::Files {
  explicit Files(const std::string& path) : checkpoint(path, stream_checkpoint_kind) {}

  void open(const StreamOptions& options) {
    if (!options.predictions.empty()) {
      predictions.emplace(
          io::GrowingCsv::Names{options.predictions, "predictions", "row,value,residual\n"});
    }
    if (!options.bad_rows.empty()) {
      bad_rows.emplace(
          io::GrowingCsv::Names{options.bad_rows, "bad_rows", "row,line,reason,text\n"});
    }
  }
  /// Not before the header is known to be good: existing files are replaced.
  void begin() {
    if (has_begun) return;
    has_begun = true;
    if (predictions) predictions->begin(start, covered.predictions);
    if (bad_rows) bad_rows->begin(start, covered.bad_rows);
  }
  /// From within next() of the stream, in the order of lines.
  void note(const io::BadLine& bad) {
    last_bad = {bad.row, std::string(bad.reason)};
    if (!bad_rows) return;
    std::string line = fmt::format("{},{},{},{}\n", bad.row, bad.line, io::csv_field(bad.reason),
                                   io::csv_field(bad.text));
    if (!bad.line_ended) {
      unended.push_back(std::move(line));
      return;
    }
    begin();
    bad_rows->add("{}", line);
  }
  bool are_intact() const {
    return (!predictions || predictions->is_intact()) && (!bad_rows || bad_rows->is_intact());
  }
  void flush() {
    if (predictions) predictions->flush();
    if (bad_rows) bad_rows->flush();
  }
  StreamFiles sync() {
    return {.predictions = predictions ? predictions->sync() : io::GrowingCsv::Extent(),
            .bad_rows = bad_rows ? bad_rows->sync() : io::GrowingCsv::Extent()};
  }

  io::ResumableRun checkpoint;
  io::GrowingCsv::Start start = io::GrowingCsv::Start::new_run;
  StreamFiles covered;  // when the run resumes
  std::optional<io::GrowingCsv> predictions, bad_rows;
  std::vector<std::string> unended;  // lines for bad_rows that no checkpoint may cover
  bool has_begun = false;
  BadRow last_bad;
};

StreamRun::StreamRun(const std::string& path, const StreamOptions& options)
    : options_(options),
      drift_{.alarm = DriftAlarm(options.false_alarm_rate, longest_reference(options.learner))} {
  using Kind = io::FileUse::Kind;
  io::check_no_overwriting({{"the stream", path, Kind::read},
                            {"checkpoint", options.checkpoint, Kind::written},
                            {"predictions", options.predictions, Kind::written},
                            {"bad_rows", options.bad_rows, Kind::written}});
  check_can_be_recorded(options);
  check_rules(options);
  watches_outliers_ = !options.costs.is_limited();
  files_ = std::make_unique<Files>(options.checkpoint);
  is_resumed_ = files_->checkpoint.load([&](io::StateReader& state) {
    StreamCheckpoint saved;
    saved.archive(state);
    check_same_options(files_->checkpoint, options, saved);
    resumed_at_ = saved.position;
    files_->covered = saved.files;
    files_->start = io::GrowingCsv::Start::resumed;
    outliers_ = saved.outliers;
    if (!watches_outliers_ && options.costs.holds(outliers_.last().cost)) outliers_.accept();
    open(path);
    state.block([&](io::StateReader& learner) { make_learner(&learner); });
  });
  if (!is_resumed_) open(path);
  next_save_ = Clock::now() + options.checkpoint_every;
}

StreamRun::StreamRun(StreamRun&&) noexcept = default;
StreamRun& StreamRun::operator=(StreamRun&&) noexcept = default;
StreamRun::~StreamRun() = default;

void StreamRun::open(const std::string& path) {
  stream_.emplace(
      path,
      io::RowRules{
          .bad_row = options_.skips_bad_rows() ? io::BadRow::skip : io::BadRow::reject,
          .features = is_averager(options_.learner.algorithm) ? io::FeatureRule::averager
                                                              : io::FeatureRule::finite,
          .costs = options_.costs,
          .largest_bad_share = options_.largest_bad_share,
          .on_bad_line = [files = files_.get()](const io::BadLine& bad) { files->note(bad); }},
      resumed_at_);
  if (options_.resume_at_row) {
    try {
      stream_->begin_with_row(*options_.resume_at_row);
    } catch (const InvalidInput& error) {
      throw InvalidField("resume_at_row", error.what());
    }
  }
  files_->open(options_);
}

/// Once the number of features is known; with the state that was saved, if there is one.
void StreamRun::make_learner(io::StateReader* saved) {
  const std::size_t d = stream_->dimension();
  const Algorithm algorithm = options_.learner.algorithm;
  try {
    if (!options_.checkpoint.empty()) check_checkpoint_memory(algorithm, d);
    if (saved != nullptr) check_learner_size(*saved, algorithm, d);
    learner_.emplace(d, options_.learner);
    if (options_.check_dimension) options_.check_dimension(d);
  } catch (const InvalidField&) {
    throw;
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", stream_->name(), error.what()));
  }
  if (saved != nullptr) {
    drift_.archive(*saved);
    learner_->archive(*saved);
  }
  files_->begin();
}

StreamRun::Next StreamRun::next() {
  if (has_ended_) return Next::end;
  try {
    const std::uint64_t skipped = stream_->skipped_rows();
    const Next found = stream_->next();
    if (!learner_ && stream_->dimension() > 0) make_learner(nullptr);
    if (stream_->skipped_rows() > skipped) skip();
    if (found == Next::row && take(stream_->transition()) != LearnerStatus::diverged) return found;
    if (found == Next::starved) {
      if (!stream_->is_regular_file()) files_->flush();  // for those who follow the files
      if (Clock::now() >= next_save_) save_state();
      return found;
    }
    has_ended_ = true;
    save();
    return Next::end;
  } catch (const InvalidInput&) {
    has_ended_ = true;
    save();
    throw;
  } catch (const io::OutputError&) {
    has_ended_ = true;
    save();
    throw;
  } catch (...) {  // of a row that is learned in part, which must not be saved
    has_ended_ = true;
    is_unsaved_ = false;
    throw;
  }
}

/// A skipped row breaks the trajectory: the next row starts a new episode.
void StreamRun::skip() {
  files_->begin();
  const bool line_ended = stream_->position().skipped_rows == stream_->skipped_rows();
  if (!line_ended) save_state();
  for (const std::string& line : files_->unended) files_->bad_rows->add("{}", line);
  files_->unended.clear();
  ends_in_line_ = !line_ended;
  if (!learner_) return;
  learner_->start_episode();
  is_unsaved_ = line_ended;
}

/// The one place where a row, with its weight, reaches the learner.
LearnerStatus StreamRun::take(const io::Transition& row) {
  if (!row.line_ended) save_state();  // a resumed run reads it again
  if (files_->predictions) predict(row);
  const LearnerStatus status = row.terminal
                                   ? learner_->update_terminal(row.phi, row.cost, row.weight)
                                   : learner_->update(row.phi, row.cost, row.phi_next, row.weight);
  is_unsaved_ = row.line_ended;
  ends_in_line_ = !row.line_ended;
  raised_alarm_ = found_outlier_ = false;
  if (status == LearnerStatus::diverged) return status;
  const double loss = learner_->last_loss();
  raised_alarm_ = drift_.alarm.add(loss);
  if (raised_alarm_) drift_.last_row = row_number();
  found_outlier_ = outliers_.add(loss) && watches_outliers_;
  if (found_outlier_) outliers_.found(row_number(), row.cost);
  if (outliers_.is_value_due()) outliers_.add_value(learner_->value(row.phi));
  return status;
}

void StreamRun::predict(const io::Transition& row) {
  const double value = learner_->value(row.phi);
  const double next = row.terminal ? 0.0 : learner_->value(row.phi_next);
  const double residual = row.cost + options_.learner.gamma * next - value;
  files_->predictions->add("{},{},{}\n", row_number(), value, residual);
}

bool StreamRun::advance() {
  Next found = next();
  for (; found == Next::starved; found = next()) wait();
  return found == Next::row;
}

void StreamRun::wait(std::chrono::milliseconds longest) {
  pollfd input{.fd = stream_->descriptor(), .events = POLLIN, .revents = 0};
  if (::poll(&input, 1, static_cast<int>(std::min(longest, wait_limit()).count())) > 0) fill();
}

std::chrono::milliseconds StreamRun::wait_limit() const {
  using std::chrono::milliseconds;
  if (options_.checkpoint.empty() || !is_unsaved_) return longest_wait;
  const auto left = std::chrono::ceil<milliseconds>(next_save_ - Clock::now());
  return std::clamp(left, milliseconds(0), longest_wait);
}

void StreamRun::save() {
  if (!files_ || !files_->are_intact()) return;
  files_->flush();
  if (status() != LearnerStatus::diverged) save_state();
}

void StreamRun::reopen() {
  if (!files_ || !files_->has_begun) return;
  if (files_->predictions) files_->predictions->reopen();
  if (files_->bad_rows) files_->bad_rows->reopen();
  // A run that resumes looks for the files that are continued from here on.
  is_unsaved_ = is_unsaved_ || (learner_ && !ends_in_line_);
  save();
}

void StreamRun::close() {
  if (!files_) return;
  save();
  const std::string error = save_error();
  files_.reset();
  has_ended_ = true;
  if (!error.empty()) throw io::OutputError(error);
}

void StreamRun::save_state() {
  io::ResumableRun& checkpoint = files_->checkpoint;
  if (!checkpoint.has_checkpoint() || !learner_ || !is_unsaved_) return;
  StreamCheckpoint saved;
  saved.position = stream_->position();
  const std::size_t d = saved.position.dimension;
  if (d == 0) return;  // no complete line has shown it
  saved.options = recorded_options(options_, d);
  saved.files = files_->sync();
  saved.outliers = outliers_;
  const auto write = [&](io::StateWriter& state) {
    if (is_newton(options_.learner.algorithm)) {
      state.reserve(static_cast<std::size_t>(newton_memory(d)));
    }
    saved.archive(state);
    state.block([&](io::StateWriter& learner) {
      drift_.archive(learner);
      learner_->archive(learner);
    });
  };
  if (checkpoint.save(write)) is_unsaved_ = false;
  next_save_ = Clock::now() + options_.checkpoint_every;
}

std::string_view StreamRun::status_name() const {
  const bool is_upset = has_values(status()) && outliers_.is_upset();
  return is_upset ? "outlier" : to_string(status());
}

StreamRun::BadRow StreamRun::last_bad_row() const {
  return files_ ? files_->last_bad : BadRow();
}

std::string StreamRun::file_notice() const {
  std::string all;
  if (!files_) return all;
  for (const auto* const file : {&files_->predictions, &files_->bad_rows}) {
    if (!*file || (*file)->notice().empty()) continue;
    all += (all.empty() ? "" : "; ") + (*file)->notice();
  }
  return all;
}

const std::string& StreamRun::save_error() const {
  static const std::string none;
  return files_ ? files_->checkpoint.save_error() : none;
}

}  // namespace shortfall::learn

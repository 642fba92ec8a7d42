#include "shortfall/formats/stream_run.hpp"

#include <fmt/format.h>
#include <poll.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

#include "checkpoint/resumable_run.hpp"
#include "files/atomic_file.hpp"
#include "files/file_uses.hpp"
#include "formats/predictions_file.hpp"
#include "formats/stream_checkpoint.hpp"
#include "shortfall/errors/error.hpp"

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

}  // namespace

/// What other processes cannot use while the run lasts.
struct StreamRun::Files {
  explicit Files(const std::string& path) : checkpoint(path, stream_checkpoint_kind) {}

  io::ResumableRun checkpoint;
  io::PredictionsFile::Extent covered;  // of the predictions, when the run resumes
  std::optional<io::PredictionsFile> predictions;
};

StreamRun::StreamRun(const std::string& path, const StreamOptions& options)
    : options_(options),
      drift_{.alarm = DriftAlarm(options.false_alarm_rate, longest_reference(options.learner))} {
  using Kind = io::FileUse::Kind;
  io::check_no_overwriting({{"the stream", path, Kind::read},
                            {"checkpoint", options.checkpoint, Kind::written},
                            {"predictions", options.predictions, Kind::written}});
  check_can_be_recorded(options);
  files_ = std::make_unique<Files>(options.checkpoint);
  is_resumed_ = files_->checkpoint.load([&](io::StateReader& state) {
    StreamCheckpoint saved;
    saved.archive(state);
    check_same_options(files_->checkpoint, options, saved);
    resumed_at_ = saved.position;
    files_->covered = saved.predictions;
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
  stream_.emplace(path, options_.skip_bad_rows ? io::BadRow::skip : io::BadRow::reject, resumed_at_,
                  is_averager(options_.learner.algorithm) ? io::FeatureRule::averager
                                                          : io::FeatureRule::finite);
  if (!options_.resume_at_row) return;
  try {
    stream_->begin_with_row(*options_.resume_at_row);
  } catch (const InvalidInput& error) {
    throw InvalidField("resume_at_row", error.what());
  }
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
  // Not before the header is known to be good: an existing file is replaced.
  if (!options_.predictions.empty()) {
    files_->predictions.emplace(options_.predictions, files_->covered);
  }
}

StreamRun::Next StreamRun::next() {
  if (has_ended_) return Next::end;
  try {
    const std::uint64_t skipped = stream_->skipped_rows();
    const Next found = stream_->next();
    if (!learner_ && stream_->dimension() > 0) make_learner(nullptr);
    if (learner_ && stream_->skipped_rows() > skipped) skip();
    if (found == Next::row && take(stream_->transition()) != LearnerStatus::diverged) return found;
    if (found == Next::starved) {
      if (files_->predictions && !stream_->is_regular_file()) {
        files_->predictions->flush();  // for those who follow the file
      }
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
  const bool line_ended = stream_->position().skipped_rows == stream_->skipped_rows();
  if (!line_ended) save_state();
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
  raised_alarm_ = status != LearnerStatus::diverged && drift_.alarm.add(learner_->last_loss());
  if (raised_alarm_) drift_.last_row = stream_->rows() + stream_->skipped_rows();
  return status;
}

void StreamRun::predict(const io::Transition& row) {
  const double value = learner_->value(row.phi);
  const double next = row.terminal ? 0.0 : learner_->value(row.phi_next);
  const double residual = row.cost + options_.learner.gamma * next - value;
  files_->predictions->add(stream_->rows() + stream_->skipped_rows(), value, residual);
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
  if (!files_) return;
  if (auto& predictions = files_->predictions) {
    if (!predictions->is_intact()) return;
    predictions->flush();
  }
  if (status() != LearnerStatus::diverged) save_state();
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
  if (files_->predictions) saved.predictions = files_->predictions->sync();
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

const std::string& StreamRun::save_error() const {
  static const std::string none;
  return files_ ? files_->checkpoint.save_error() : none;
}

}  // namespace shortfall::learn

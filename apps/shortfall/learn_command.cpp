#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/learn_arguments.hpp"
#include "apps/shortfall/learn_report.hpp"
#include "apps/shortfall/stream_signals.hpp"
#include "files/atomic_file.hpp"
#include "shortfall/errors/error.hpp"

namespace shortfall::app {
namespace {

using learn::StreamRun;
using nlohmann::json;

/// The learning of a command: its run, until the stream ends or a signal arrives.
class Learning {
 public:
  Learning(const LearnOptions& options, const Notices& notices)
      : options_(options),
        notices_(notices),
        run_(options.file, options.run),
        said_bad_rows_(run_.stream().skipped_rows()) {
    const bool has_files = !options.run.predictions.empty() || !options.run.bad_rows.empty();
    signals_.emplace(has_files ? StreamSignals::HangUp::reopens : StreamSignals::HangUp::stops);
  }

  void learn();
  const StreamRun& run() const { return run_; }
  LearnResult result() const { return {run_, options_.intervals, signals_->stopped_by()}; }

 private:
  void learn_rows(ProgressLine& progress);
  void say_row();
  void say_bad_rows();
  void say_ignored();
  void say_what_is_new();
  void say_save_error();
  void answer_signals();

  const LearnOptions& options_;
  const Notices& notices_;
  /// From when the stream is open, because opening a pipe may block and must stay interruptible, to
  /// when the lock of the checkpoint is gone.
  std::optional<StreamSignals> signals_;
  StreamRun run_;
  bool said_save_error_ = false;
  bool said_files_ = false;
  std::size_t said_ignored_ = 0;
  std::uint64_t said_bad_rows_;        // of those skipped
  std::uint64_t say_bad_rows_at_ = 1;  // of this run
};

void Learning::learn() {
  ProgressLine::PrintLine print_progress;
  if (notices_.is_json()) {
    print_progress = [&](std::string_view text) {
      notices_.say("progress", text,
                   {{"rows", run_.stream().rows()}, {"status", run_.status_name()}});
    };
  }
  ProgressLine progress(print_progress);
  try {
    learn_rows(progress);
    run_.save();
  } catch (const InvalidInput&) {  // after which it is saved
    say_what_is_new();
    throw;
  } catch (const io::OutputError&) {  // perhaps of a report
    run_.save();
    say_what_is_new();
    throw;
  }
  say_what_is_new();
}

void Learning::learn_rows(ProgressLine& progress) {
  using Next = StreamRun::Next;
  for (;;) {
    const Next next = run_.next();
    if (next == Next::end) return;
    if (next == Next::row) {
      say_row();
      continue;
    }
    say_what_is_new();
    if (progress.due()) {
      progress.show(fmt::format("{} rows, {}", run_.stream().rows(), run_.status_name()));
    }
    const bool ready = signals_->wait(run_.stream().descriptor(), run_.wait_limit());
    answer_signals();
    if (!signals_->stopped_by().empty()) return;
    if (ready) run_.fill();
  }
}

void Learning::say_row() {
  if (run_.raised_alarm()) {
    const learn::DriftWatch& drift = run_.drift();
    notices_.say(
        "drift",
        fmt::format("warning: at row {} the residuals have moved away from zero", drift.last_row),
        {{"row", drift.last_row}, {"alarms", drift.alarm.alarms()}});
  }
  if (run_.found_outlier()) {
    const learn::OutlierWatch::Outlier& outlier = run_.outliers().last();
    notices_.say(
        "outlier",
        fmt::format("warning: the loss of row {} (cost {:g}) is {:.3g} times the largest before; "
                    "--cost-range LO,HI refuses or clips such costs",
                    outlier.row, outlier.cost, outlier.ratio),
        {{"row", outlier.row}, {"cost", outlier.cost}, {"ratio", outlier.ratio}});
  }
  if (options_.report_every > 0 && run_.learner()->updates() % options_.report_every == 0) {
    print_json_line(report_json(result()));
  }
}

/// After the first bad row of this run, the tenth, the hundredth, ..
void Learning::say_bad_rows() {
  const std::uint64_t skipped = run_.stream().skipped_rows() - said_bad_rows_;
  if (skipped < say_bad_rows_at_) return;
  while (say_bad_rows_at_ <= skipped) say_bad_rows_at_ *= 10;
  const StreamRun::BadRow last = run_.last_bad_row();
  notices_.say("bad-row",
               fmt::format("skipped {}, {}row {}: {}",
                           skipped == 1 ? "a bad row" : fmt::format("{} bad rows", skipped),
                           skipped == 1 ? "" : "the last of them ", last.row, last.reason),
               {{"skipped", skipped}, {"row", last.row}, {"reason", last.reason}});
}

void Learning::say_ignored() {
  const std::vector<std::string>& ignored = run_.stream().ignored();
  if (ignored.size() == said_ignored_) return;
  said_ignored_ = ignored.size();
  std::vector<std::string> quoted;
  for (const std::string& name : ignored) quoted.push_back(fmt::format("{:?}", name));
  notices_.say("ignored",
               fmt::format("{}: these columns or keys are ignored: {}", run_.stream().name(),
                           fmt::join(quoted, ", ")),
               {{"names", ignored}});
}

void Learning::say_what_is_new() {
  say_ignored();
  say_bad_rows();
  if (const std::string notice = run_.file_notice(); !said_files_ && !notice.empty()) {
    said_files_ = true;
    notices_.say("files", notice);
  }
  say_save_error();
}

void Learning::answer_signals() {
  if (signals_->take_reopening()) {
    run_.reopen();
    say_what_is_new();
  }
  if (!signals_->take_report()) return;
  run_.save();
  say_what_is_new();
  const json report = report_json(result());
  if (options_.report_every > 0) {
    print_json_line(report);
  } else {
    notices_.say("report", "report " + report.dump(), report);
  }
}

/// Only the first of several failures in a row is reported.
void Learning::say_save_error() {
  const std::string& error = run_.save_error();
  if (!error.empty() && !said_save_error_) {
    notices_.say("save-failed", error + "; learning continues");
  }
  said_save_error_ = !error.empty();
}

void say_resumed(const StreamRun& run, const LearnOptions& options, const Notices& notices) {
  if (!run.is_resumed()) return;
  const io::StreamPosition& at = run.resumed_at();
  notices.say(
      "resume",
      fmt::format("resuming from {} after {} rows{}{}", options.run.checkpoint, at.rows,
                  at.skipped_rows == 0 ? "" : fmt::format(" and {} bad rows", at.skipped_rows),
                  run.may_learn_twice()
                      ? fmt::format("; the input must continue with row {}", at.next_row())
                      : ""),
      {{"rows", at.rows}, {"skipped_rows", at.skipped_rows}, {"next_row", at.next_row()}});
  if (run.may_learn_twice() && !options.accept_replay) {
    notices.say(
        "warning",
        fmt::format("warning: repeated rows are learned twice; give --resume-at-row N if the "
                    "input begins with row N, --accept-replay if it begins with row {}, or "
                    "number the rows in a column seq",
                    at.next_row()));
  }
}

void say_end(const LearnResult& result, const Notices& notices) {
  const StreamRun& run = result.run;
  const std::uint64_t replayed = run.stream().replayed_rows();
  if (notices.is_json()) {
    notices.say("end", result.stopped_by.empty() ? "finished" : "stopped",
                {{"updates", run.learner() ? run.learner()->updates() : 0},
                 {"status", run.status_name()},
                 {"rows", run.stream().rows()},
                 {"skipped_rows", run.stream().skipped_rows()},
                 {"replayed_rows", replayed}});
  } else if (replayed > 0) {
    notices.say("end", fmt::format("{} not learned again",
                                   replayed == 1 ? "1 replayed row was"
                                                 : fmt::format("{} replayed rows were", replayed)));
  }
}

void print_document(const json& document, const LearnOptions& options) {
  if (options.report_every > 0) print_json_line(document);  // all of the output is NDJSON
  if (options.report_every == 0) print_json(document);
}

/// The run has ended before the number of features was known: it was stopped, or all rows of NDJSON
/// are bad.
json document_without_learner(const LearnResult& result) {
  json document = {{"theta", json::array()},
                   {"updates", 0},
                   {"status", has_no_row(result) ? "no-rows" : result.run.status_name()},
                   {"skipped_rows", result.run.stream().skipped_rows()}};
  if (!result.stopped_by.empty()) document["stopped_by"] = result.stopped_by;
  return document;
}

void print_result(const LearnResult& result, const LearnOptions& options) {
  const bool has_learner = result.run.learner().has_value();
  if (options.json) {
    return print_document(has_learner ? learning_json(result) : document_without_learner(result),
                          options);
  }
  if (!has_learner && result.stopped_by.empty()) return;  // no row: see no-rows
  const std::string text =
      has_learner ? learning_text(result)
                  : fmt::format("stopped by {} before the first row\n", result.stopped_by);
  if (prints_predictions(options)) {
    say(text);
  } else {
    print(text);
  }
}

ExitCode learn_and_report(const LearnOptions& options, const Notices& notices) {
  Learning learning(options, notices);
  const StreamRun& run = learning.run();
  say_resumed(run, options, notices);
  learning.learn();
  const LearnResult result = learning.result();
  print_result(result, options);
  say_end(result, notices);
  if (!run.save_error().empty()) throw io::OutputError(run.save_error());
  if (has_no_row(result)) {
    const std::uint64_t skipped = run.stream().skipped_rows();
    notices.say(
        "no-rows",
        fmt::format("{}: there is no row to learn from{}; accepted: at least one row",
                    run.stream().name(),
                    skipped == 0 ? "" : fmt::format(", {} bad rows were skipped", skipped)));
    return no_answer;
  }
  if (run.status_name() == to_string(learn::LearnerStatus::ok)) return success;
  // Values that have not settled are a failure where the stream has ended: not if somebody stopped
  // it, and not with too few rows to tell.
  const bool goes_on = !result.stopped_by.empty() || !run.learner()->movement();
  const bool is_unsettled = run.status_name() == to_string(learn::LearnerStatus::not_settled);
  return is_unsettled && goes_on ? success : no_answer;
}

/// The library names fields; here they are options.
ExitCode run_learn(const LearnOptions& options, const Notices& notices) try {
  return learn_and_report(options, notices);
} catch (const io::ChangedOption& changed) {
  throw InvalidInput(changed.message([](const std::string& option) { return "--" + option; }));
} catch (const InvalidField& error) {
  std::string option = error.field();
  std::ranges::replace(option, '_', '-');
  throw InvalidInput(fmt::format("--{}: {}", option, error.what()));
}

/// Errors are notices, too: a program that reads the log finds them in its form.
ExitCode run_logged(const LearnOptions& options) {
  const Notices notices(options.log);
  if (!notices.is_json()) return run_learn(options, notices);
  try {
    return run_learn(options, notices);
  } catch (const InvalidInput& error) {
    notices.say("error", error.what());
  } catch (const io::OutputError& error) {
    notices.say("error", error.what());
  }
  return bad_input;
}

}  // namespace

void add_learn(const CommandGroup& group) {
  const auto options = std::make_shared<LearnOptions>();
  const Grammar grammar =
      group.add("learn", "Learn the value of a policy online from a stream of transitions",
                [options] { return run_logged(*options); });
  add_learn_options(grammar, *options);
  grammar->footer(
      "Example: shortfall learn examples/boyan_stream.csv --loss mean --gamma 1 --algorithm "
      "newton\n"
      "         --warmup 50 --checkpoint state.ckpt");
}

}  // namespace shortfall::app

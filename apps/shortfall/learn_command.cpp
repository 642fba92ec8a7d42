#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/command_monitor.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/learn_arguments.hpp"
#include "apps/shortfall/learn_report.hpp"
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
      : options_(options), notices_(notices), run_(options.file, options.run) {
    signals_.emplace(StopSignals::Delivery::while_waiting);
  }

  void learn();
  const StreamRun& run() const { return run_; }
  LearnResult result() const { return {run_, options_.intervals, signals_->caught()}; }

 private:
  void learn_rows(ProgressLine& progress);
  void say_row();
  void say_save_error();

  const LearnOptions& options_;
  const Notices& notices_;
  /// From when the stream is open, because opening a pipe may block and must stay interruptible, to
  /// when the lock of the checkpoint is gone.
  std::optional<StopSignals> signals_;
  StreamRun run_;
  bool said_save_error_ = false;
};

void Learning::learn() {
  ProgressLine::PrintLine print_progress;
  if (notices_.is_json()) {
    print_progress = [&](std::string_view text) {
      notices_.say("progress", text,
                   {{"rows", run_.stream().rows()}, {"status", to_string(run_.status())}});
    };
  }
  ProgressLine progress(print_progress);
  try {
    learn_rows(progress);
    run_.save();
  } catch (const InvalidInput&) {  // after which it is saved
    say_save_error();
    throw;
  } catch (const io::OutputError&) {  // perhaps of a report
    run_.save();
    say_save_error();
    throw;
  }
  say_save_error();
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
    say_save_error();
    if (progress.due()) {
      progress.show(fmt::format("{} rows, {}", run_.stream().rows(), to_string(run_.status())));
    }
    const bool ready = signals_->wait(run_.stream().descriptor(), run_.wait_limit());
    if (!signals_->caught().empty()) return;
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
  if (options_.report_every > 0 && run_.learner()->updates() % options_.report_every == 0) {
    print_json_line(report_json(result()));
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
                 {"status", to_string(run.status())},
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

/// The run was stopped before the number of features was known.
void print_stopped_early(const LearnResult& result, const LearnOptions& options) {
  if (options.json) {
    print_document({{"theta", json::array()},
                    {"updates", 0},
                    {"status", to_string(result.run.status())},
                    {"stopped_by", result.stopped_by}},
                   options);
  } else {
    print(fmt::format("stopped by {} before the first row\n", result.stopped_by));
  }
}

void print_result(const LearnResult& result, const LearnOptions& options) {
  const io::TransitionStream& stream = result.run.stream();
  if (result.run.learner()) {
    if (options.json) print_document(learning_json(result), options);
    if (!options.json) print(learning_text(result));
  } else if (!result.stopped_by.empty()) {
    print_stopped_early(result, options);
  } else {
    throw InvalidInput(fmt::format("{}: all {} rows are bad; accepted: at least one valid row",
                                   stream.name(), stream.skipped_rows()));
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
  return run.status() == learn::LearnerStatus::ok ? success : no_answer;
}

/// The library names fields; here they are options.
ExitCode run_learn(const LearnOptions& options, const Notices& notices) try {
  return learn_and_report(options, notices);
} catch (const io::ChangedOption& changed) {
  throw InvalidInput(changed.message("--" + changed.option()));
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

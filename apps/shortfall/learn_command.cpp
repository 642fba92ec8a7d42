#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/learn_arguments.hpp"
#include "apps/shortfall/learn_report.hpp"
#include "apps/shortfall/learn_run.hpp"
#include "apps/shortfall/progress_line.hpp"
#include "files/atomic_file.hpp"
#include "shortfall/error.hpp"

namespace shortfall::app {
namespace {

using nlohmann::json;

void say_resumed(const LearnRun& run, const LearnOptions& options, const Notices& notices) {
  if (!run.is_resumed()) return;
  const io::StreamPosition& at = run.resumed_at();
  const bool may_repeat = !at.seen.empty() || options.resume_at_row;
  const bool is_pipe = !run.stream().is_regular_file();
  notices.say(
      "resume",
      fmt::format("resuming from {} after {} rows{}{}", options.checkpoint, at.rows,
                  at.skipped_rows == 0 ? "" : fmt::format(" and {} bad rows", at.skipped_rows),
                  is_pipe && !may_repeat
                      ? fmt::format("; the input must continue with row {}", at.next_row())
                      : ""),
      {{"rows", at.rows}, {"skipped_rows", at.skipped_rows}, {"next_row", at.next_row()}});
  if (is_pipe && !may_repeat && !options.accept_replay) {
    notices.say("warning",
                fmt::format("warning: rows that the input sends again count twice; give "
                            "--resume-at-row N if it begins with row N, --accept-replay if it "
                            "begins with row {}, or number the rows in a column seq",
                            at.next_row()));
  }
}

void say_end(const LearnRun& run, const Notices& notices) {
  const std::uint64_t replayed = run.stream().replayed_rows();
  if (notices.is_json()) {
    notices.say("end", run.stopped_by().empty() ? "finished" : "stopped",
                {{"updates", run.learner() ? run.learner()->updates() : 0},
                 {"status", learn::to_string(run.status())},
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
void print_stopped_early(const LearnRun& run, const LearnOptions& options) {
  if (options.json) {
    print_document({{"theta", json::array()},
                    {"updates", 0},
                    {"status", learn::to_string(run.status())},
                    {"stopped_by", run.stopped_by()}},
                   options);
  } else {
    print(fmt::format("stopped by {} before the first row\n", run.stopped_by()));
  }
}

void print_result(const LearnRun& run, const LearnOptions& options) {
  if (run.learner()) {
    if (options.json) print_document(learning_json(run), options);
    if (!options.json) print(learning_text(run));
  } else if (!run.stopped_by().empty()) {
    print_stopped_early(run, options);
  } else {
    throw InvalidInput(fmt::format("{}: all {} rows are bad; accepted: at least one valid row",
                                   run.stream().name(), run.stream().skipped_rows()));
  }
}

void learn_and_report(LearnRun& run, const Notices& notices) {
  ProgressLine::PrintLine print_progress;
  if (notices.is_json()) {
    print_progress = [&](std::string_view text) {
      notices.say("progress", text,
                  {{"rows", run.stream().rows()}, {"status", learn::to_string(run.status())}});
    };
  }
  ProgressLine progress(print_progress);
  run.learn({.on_wait =
                 [&](const LearnRun& now) {
                   if (!progress.due()) return;
                   progress.show(
                       fmt::format("{} rows, {}", now.stream().rows(), to_string(now.status())));
                 },
             .on_report = [](const LearnRun& now) { print_json_line(report_json(now)); }});
}

ExitCode run_learn(const LearnOptions& options, const Notices& notices) {
  LearnRun learning(options, notices);
  say_resumed(learning, options, notices);
  learn_and_report(learning, notices);
  print_result(learning, options);
  say_end(learning, notices);
  if (!learning.save_error().empty()) throw io::OutputError(learning.save_error());
  if (has_no_row(learning)) {
    const std::uint64_t skipped = learning.stream().skipped_rows();
    notices.say(
        "no-rows",
        fmt::format("{}: there is no row to learn from{}; accepted: at least one row",
                    learning.stream().name(),
                    skipped == 0 ? "" : fmt::format(", {} bad rows were skipped", skipped)));
    return no_answer;
  }
  return learning.status() == learn::LearnerStatus::ok ? success : no_answer;
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

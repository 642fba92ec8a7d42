#include <fmt/format.h>

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/general_arguments.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/learn_report.hpp"
#include "apps/shortfall/learn_run.hpp"
#include "apps/shortfall/option_checks.hpp"
#include "apps/shortfall/progress_line.hpp"
#include "files/atomic_file.hpp"
#include "require.hpp"
#include "shortfall/error.hpp"

namespace shortfall::app {
namespace {

using learn::Algorithm;

struct LearnOptions : GeneralOptions, LearnRunOptions {};

void print_resume_notice(const LearnRun& run, const LearnOptions& options) {
  if (!run.is_resumed()) return;
  const std::uint64_t rows = run.stream().rows();
  const std::uint64_t skipped = run.stream().skipped_rows();
  fmt::print(stderr, "shortfall: resuming from {} after {} rows{}{}\n", options.checkpoint, rows,
             skipped == 0 ? "" : fmt::format(" and {} bad rows", skipped),
             run.stream().is_regular_file()
                 ? ""
                 : fmt::format("; the input must continue with row {}", rows + skipped + 1));
}

/// The run was stopped before the number of features was known.
void print_stopped_early(const LearnRun& run, const LearnOptions& options) {
  if (options.json) {
    print_json({{"theta", nlohmann::json::array()},
                {"updates", 0},
                {"status", learn::to_string(run.status())},
                {"stopped_by", run.stopped_by()}});
  } else {
    print(fmt::format("stopped by {} before the first row\n", run.stopped_by()));
  }
}

void print_result(const LearnRun& run, const LearnOptions& options) {
  if (run.learner()) {
    if (options.json) print_json(learning_json(run));
    if (!options.json) print(learning_text(run));
  } else if (!run.stopped_by().empty()) {
    print_stopped_early(run, options);
  } else {
    throw InvalidInput(fmt::format("{}: all {} rows are bad; accepted: at least one valid row",
                                   run.stream().name(), run.stream().skipped_rows()));
  }
}

ExitCode run_learn(const LearnOptions& options) {
  LearnRun learning(options);
  print_resume_notice(learning, options);
  {
    ProgressLine progress;
    learning.learn([&](const LearnRun& now) {
      if (!progress.due()) return;
      progress.show(fmt::format("{} rows, {}", now.stream().rows(), to_string(now.status())));
    });
  }
  print_result(learning, options);
  if (!learning.save_error().empty()) throw io::OutputError(learning.save_error());
  if (has_no_row(learning)) {
    const std::uint64_t skipped = learning.stream().skipped_rows();
    fmt::print(stderr,
               "shortfall: {}: there is no row to learn from{}; accepted: at least one row\n",
               learning.stream().name(),
               skipped == 0 ? "" : fmt::format(", {} bad rows were skipped", skipped));
    return no_answer;
  }
  return learning.status() == learn::LearnerStatus::ok ? success : no_answer;
}

/// Rejects options that have no effect with the chosen algorithm.
void check_fits_algorithm(const CLI::App& given, const LearnOptions& options) {
  const Algorithm algorithm = options.learner.algorithm;
  const auto refuse_unless = [&](bool fits, const char* name, const char* accepted) {
    require(fits || given.count(name) == 0, "{} with --algorithm {}; accepted: {}", name,
            to_string(algorithm), accepted);
  };
  const bool newton = algorithm == Algorithm::newton;
  refuse_unless(algorithm == Algorithm::td_lambda, "--lambda", "--algorithm td-lambda");
  refuse_unless(newton, "--warmup", "--algorithm newton");
  for (const char* const name : {"--step", "--average-from"}) {
    refuse_unless(!newton, name, "--algorithm td or td-lambda");
  }
  refuse_unless(!options.checkpoint.empty(), "--checkpoint-every",
                "it together with --checkpoint FILE");
}

void check_gamma_and_lambda(const learn::LearnerOptions& learner) {
  require_gamma(learner.gamma >= 0.0 && learner.gamma <= 1.0, learner.gamma,
                "a number from 0 to 1");
  require(learner.lambda >= 0.0 && learner.lambda <= 1.0,
          "--lambda is {}; accepted: a number from 0 to 1", learner.lambda);
}

void check_checkpoint(const LearnOptions& options) {
  check_is_file("--checkpoint", options.checkpoint);
  require(options.checkpoint_every > 0.0 && options.checkpoint_every <= 1e6,
          "--checkpoint-every is {}; accepted: a number of seconds above 0, at most 1e6",
          options.checkpoint_every);
}

void add_learner_options(const Grammar& grammar, learn::LearnerOptions& learner) {
  add_loss(grammar, learner.loss);
  grammar->add_option("--gamma", learner.gamma, "Discount factor in [0, 1]; 1 only if episodes end")
      ->required()
      ->check(not_empty());
  add_choice(grammar, "--algorithm", learner.algorithm, learn::algorithm_names,
             "td, td-lambda or newton")
      ->default_str("")
      ->required();
  grammar->add_option("--lambda", learner.lambda, "Trace parameter of td-lambda, from 0 to 1")
      ->check(not_empty())
      ->capture_default_str();
  grammar.add_check([&learner] { check_gamma_and_lambda(learner); });
  add_parsed(
      grammar, "--step",
      [&learner](const std::string& text) { learner.step = learn::AnyStep::parse(text); },
      "Step size of td and td-lambda: B1,B2,DELTA for B1/(n+B2)^DELTA, or a constant")
      ->default_str(learner.step.to_string());
  grammar
      ->add_option(
          "--average-from", learner.average_from,
          "Report the mean of td's weights after this many updates instead of the last weights")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{1} << 62).description(""));
  grammar
      ->add_option(
          "--warmup", learner.newton.warmup,
          "Samples before newton's first step, at least d; default: the larger of 500 and 10 d")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 62).description(""));
}

}  // namespace

void add_learn(const CommandGroup& group) {
  const auto options = std::make_shared<LearnOptions>();
  const Grammar grammar =
      group.add("learn", "Learn the value of a policy online from a stream of transitions",
                [options] { return run_learn(*options); });
  grammar.add_check([options, &given = grammar.app()] { check_fits_algorithm(given, *options); });
  grammar
      ->add_option("file", options->file,
                   "One transition per line: CSV with header x1,..,xd,y1,..,yd,cost[,terminal], or "
                   "NDJSON with keys x, y, cost[, terminal]; x: current features, y: next "
                   "features; -: standard input")
      ->capture_default_str();
  add_learner_options(grammar, options->learner);
  grammar
      ->add_option("--checkpoint", options->checkpoint,
                   "Save the state to this file, and resume from it if it exists")
      ->check(not_empty());
  grammar
      ->add_option("--checkpoint-every", options->checkpoint_every, "Seconds between checkpoints")
      ->capture_default_str();
  grammar->add_flag("--skip-bad-rows", options->skip_bad_rows,
                    "Skip and count rows that cannot be read");
  add_general_options(grammar, *options, Randomness::none);
  grammar.add_check([options] { check_checkpoint(*options); });
  grammar->footer(
      "Example: shortfall learn examples/boyan_stream.csv --loss mean --gamma 1 --algorithm "
      "newton\n"
      "         --warmup 50 --checkpoint state.ckpt");
}

}  // namespace shortfall::app

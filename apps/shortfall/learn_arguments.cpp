#include "apps/shortfall/learn_arguments.hpp"

#include <cstdint>
#include <string>

#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/option_checks.hpp"
#include "require.hpp"

namespace shortfall::app {
namespace {

using learn::Algorithm;

constexpr std::uint64_t largest_count = std::uint64_t{1} << 62;

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
  for (const char* const name : {"--resume-at-row", "--accept-replay"}) {
    require(!options.checkpoint.empty() || given.count(name) == 0,
            "{} without --checkpoint; accepted: it together with --checkpoint FILE", name);
  }
  require(given.count("--resume-at-row") == 0 || !options.accept_replay,
          "--resume-at-row and --accept-replay exclude each other; accepted: one of them");
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

void check_predictions(const LearnOptions& options) {
  check_is_file("--predictions", options.predictions);
  check_different("--predictions", options.predictions, "--checkpoint", options.checkpoint);
  check_different("--predictions", options.predictions, "the input", options.file);
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
      ->check(CLI::Range(std::uint64_t{0}, largest_count).description(""));
  grammar
      ->add_option(
          "--warmup", learner.newton.warmup,
          "Samples before newton's first step, at least d; default: the larger of 500 and 10 d")
      ->check(CLI::Range(std::uint64_t{1}, largest_count).description(""));
}

void add_resume_options(const Grammar& grammar, LearnOptions& options) {
  grammar
      ->add_option("--checkpoint", options.checkpoint,
                   "Save the state to this file, and resume from it if it exists")
      ->check(not_empty());
  grammar->add_option("--checkpoint-every", options.checkpoint_every, "Seconds between checkpoints")
      ->capture_default_str();
  grammar
      ->add_option("--resume-at-row", options.resume_at_row,
                   "A resumed pipe begins with this row of the stream: those that the checkpoint "
                   "has are not learned again")
      ->check(CLI::Range(std::uint64_t{1}, largest_count).description(""));
  grammar->add_flag(
      "--accept-replay", options.accept_replay,
      "A resumed pipe continues with the next row: do not warn about rows sent again");
}

void add_output_options(const Grammar& grammar, LearnOptions& options) {
  grammar
      ->add_option("--report-every", options.report_every,
                   "Print a line of JSON with updates, status and theta after every so many rows")
      ->check(CLI::Range(std::uint64_t{1}, largest_count).description(""));
  grammar
      ->add_option("--predictions", options.predictions,
                   "Write row, value before the update and residual of each row to this CSV file")
      ->check(not_empty());
  add_choice(grammar, "--log", options.log, log_format_names,
             "Form of notices on standard error: text, or json, one object per line");
}

}  // namespace

void add_learn_options(const Grammar& grammar, LearnOptions& options) {
  grammar.add_check([&options, &given = grammar.app()] { check_fits_algorithm(given, options); });
  grammar
      ->add_option("file", options.file,
                   "One transition per line: CSV with header "
                   "x1,..,xd,y1,..,yd,cost[,terminal][,weight][,seq], or NDJSON with keys x, y, "
                   "cost[, terminal][, weight][, seq]; x: current features, y: next features; -: "
                   "standard input")
      ->capture_default_str();
  add_learner_options(grammar, options.learner);
  add_resume_options(grammar, options);
  add_output_options(grammar, options);
  grammar->add_flag("--skip-bad-rows", options.skip_bad_rows,
                    "Skip and count rows that cannot be read");
  add_general_options(grammar, options, Randomness::none);
  grammar.add_check([&options] { check_checkpoint(options); });
  grammar.add_check([&options] { check_predictions(options); });
}

}  // namespace shortfall::app

#include "apps/shortfall/learn_arguments.hpp"

#include <chrono>
#include <cstdint>
#include <string>

#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/options.hpp"
#include "errors/require.hpp"

namespace shortfall::app {
namespace {

using learn::Algorithm;

constexpr std::uint64_t largest_count = std::uint64_t{1} << 62;

/// Rejects options that have no effect with the chosen algorithm.
void check_fits_algorithm(const CLI::App& given, const LearnOptions& options) {
  const Algorithm algorithm = options.run.learner.algorithm;
  const auto refuse_unless = [&](bool fits, const char* name, const char* accepted) {
    require(fits || given.count(name) == 0, "{} with --algorithm {}; accepted: {}", name,
            to_string(algorithm), accepted);
  };
  const bool newton = is_newton(algorithm);
  refuse_unless(algorithm == Algorithm::td_lambda, "--lambda", "--algorithm td-lambda");
  refuse_unless(newton, "--warmup", "--algorithm newton or averager-newton");
  refuse_unless(algorithm == Algorithm::newton, "--as-published", "--algorithm newton");
  for (const char* const name : {"--step", "--average-from"}) {
    refuse_unless(!newton, name, "--algorithm td, td-lambda or averager-td");
  }
  refuse_unless(!options.run.checkpoint.empty(), "--checkpoint-every",
                "it together with --checkpoint FILE");
  for (const char* const name : {"--resume-at-row", "--accept-replay"}) {
    require(!options.run.checkpoint.empty() || given.count(name) == 0,
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

void check_checkpoint(LearnOptions& options) {
  check_is_file("--checkpoint", options.run.checkpoint);
  require(options.checkpoint_every > 0.0 && options.checkpoint_every <= 1e6,
          "--checkpoint-every is {}; accepted: a number of seconds above 0, at most 1e6",
          options.checkpoint_every);
  options.run.checkpoint_every = std::chrono::round<std::chrono::nanoseconds>(
      std::chrono::duration<double>(options.checkpoint_every));
}

void check_predictions(const LearnOptions& options) {
  check_is_file("--predictions", options.run.predictions);
  check_different("--predictions", options.run.predictions, "--checkpoint", options.run.checkpoint);
  check_different("--predictions", options.run.predictions, "the input", options.file);
  check_different("--predictions", options.run.predictions, "--at", options.at);
  check_different("--checkpoint", options.run.checkpoint, "--at", options.at);
}

void add_learner_options(const Grammar& grammar, learn::LearnerOptions& learner) {
  add_loss(grammar, learner.loss);
  grammar->add_option("--gamma", learner.gamma, "Discount factor in [0, 1]; 1 only if episodes end")
      ->required()
      ->check(not_empty());
  add_choice(
      grammar, "--algorithm", learner.algorithm, learn::algorithm_names,
      "td, td-lambda or newton; for features that are nonnegative and sum to at most 1, also "
      "averager-td or averager-newton")
      ->default_str("")
      ->required();
  grammar->add_option("--lambda", learner.lambda, "Trace parameter of td-lambda, from 0 to 1")
      ->check(not_empty())
      ->capture_default_str();
  grammar.add_check([&learner] { check_gamma_and_lambda(learner); });
  add_parsed(
      grammar, "--step",
      [&learner](const std::string& text) { learner.step = learn::AnyStep::parse(text); },
      "Step size of td, td-lambda and averager-td: scaled, which knows the scale of features and "
      "reports the mean of the last half of the weights; B1,B2,DELTA for B1/(n+B2)^DELTA, as "
      "2,100,0.6667 in the paper; or a constant")
      ->default_str(learner.step.to_string());
  grammar.offer("--step", {"scaled"});
  grammar
      ->add_option("--average-from", learner.average_from,
                   "Report the mean of all of td's weights after this many updates")
      ->check(CLI::Range(std::uint64_t{0}, largest_count).description(""));
  grammar
      ->add_option("--warmup", learner.newton.warmup,
                   "Samples before newton's first step, at least d (averager-newton: 1); default: "
                   "the larger "
                   "of 500 and 10 d")
      ->check(CLI::Range(std::uint64_t{1}, largest_count).description(""));
}

void check_intervals(const LearnOptions& options) {
  const IntervalRequest& asked = options.intervals;
  require(asked.level || options.at.empty(),
          "--at without --confidence; accepted: both, as in --confidence 0.95 --at {}", options.at);
  require(asked.level || !asked.method,
          "--interval-method without --confidence; accepted: both, or none");
  if (!asked.level) return;
  require(*asked.level > 0.0 && *asked.level < 1.0,
          "--confidence is {}; accepted: a number between 0 and 1, such as 0.95", *asked.level);
  const bool newton = is_newton(options.run.learner.algorithm);
  require(newton || options.run.learner.average_from,
          "--confidence with {}; accepted: --algorithm newton, or an average by --average-from N",
          to_string(options.run.learner.algorithm));
  require(!options.as_published,
          "--confidence with --as-published, whose error comes mostly from its warm-up; accepted: "
          "one of "
          "them");
  require(newton || options.run.learner.step.assumption().holds,
          "--confidence with averages of --step {}, whose bias it would not show; accepted: "
          "decreasing steps, such as 1,100,0.7, or --algorithm newton",
          options.run.learner.step.to_string());
  require(!newton || !options.run.learner.half_life ||
              asked.method != learn::IntervalMethod::random_scaling,
          "--interval-method random-scaling with --forget; accepted: batch-means");
  require(newton || !options.run.learner.half_life,
          "--confidence with --forget and averages; accepted: --algorithm newton");
  require(newton || asked.method != learn::IntervalMethod::batch_means,
          "--interval-method batch-means with averages; accepted: random-scaling");
}

void check_forgetting(const LearnOptions& options) {
  require(options.run.false_alarm_rate >= 1e-9 && options.run.false_alarm_rate < 1.0,
          "--false-alarm-rate is {}; accepted: a number from 1e-9 to 1, exclusive",
          options.run.false_alarm_rate);
  if (!options.run.learner.half_life) return;
  const double half_life = *options.run.learner.half_life;
  require(half_life >= 1.0 && half_life <= 1e18,
          "--forget is {}; accepted: a half-life from 1 to 1e18 rows", half_life);
  require(!options.as_published,
          "--forget with --as-published, which forgets nothing; accepted: one of them");
}

void add_interval_options(const Grammar& grammar, LearnOptions& options) {
  grammar->add_option("--confidence", options.intervals.level,
                      "Standard errors of the weights, and intervals that hold a value with this "
                      "probability, such as 0.95");
  grammar
      ->add_option(
          "--at", options.at,
          "CSV file with header x1,..,xd: the states whose values and intervals are wanted")
      ->check(not_empty());
  add_named(grammar, "--interval-method", options.intervals.method, learn::interval_method_names,
            "method", "batch-means (newton's default) or random-scaling (of averages)");
  grammar.add_check([&options] { check_intervals(options); });
  grammar.add_check([&options] {
    if (options.at.empty()) return;
    options.intervals.at = io::read_features_csv(options.at);
    options.run.check_dimension = [asked = options.intervals.at.dimension](std::size_t d) {
      require(asked == d, "{} features, but --at has {}; accepted: the same number", d, asked);
    };
  });
}

void add_drift_options(const Grammar& grammar, LearnOptions& options) {
  grammar->add_flag("--as-published", options.as_published,
                    "newton exactly as the paper prints it: every row counts for ever");
  grammar->add_option("--forget", options.run.learner.half_life,
                      "Half-life of what was learned, in rows, for streams that change");
  grammar
      ->add_option("--false-alarm-rate", options.run.false_alarm_rate,
                   "Share of streams without change that raise an alarm about drift")
      ->capture_default_str();
  grammar.add_check([&options] {
    check_forgetting(options);
    if (options.as_published)
      options.run.learner.newton.variant = learn::NewtonVariant::as_published;
  });
}

void add_resume_options(const Grammar& grammar, LearnOptions& options) {
  grammar
      ->add_option("--checkpoint", options.run.checkpoint,
                   "Save the state to this file, and resume from it if it exists")
      ->check(not_empty());
  grammar->add_option("--checkpoint-every", options.checkpoint_every, "Seconds between checkpoints")
      ->capture_default_str();
  grammar
      ->add_option("--resume-at-row", options.run.resume_at_row,
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
                   "Print a line of JSON with updates, status and theta after every N rows")
      ->check(CLI::Range(std::uint64_t{1}, largest_count).description(""));
  grammar
      ->add_option("--predictions", options.run.predictions,
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
  add_learner_options(grammar, options.run.learner);
  add_drift_options(grammar, options);
  add_interval_options(grammar, options);
  add_resume_options(grammar, options);
  add_output_options(grammar, options);
  grammar->add_flag("--skip-bad-rows", options.run.skip_bad_rows,
                    "Skip and count rows that cannot be read");
  add_general_options(grammar, options, Randomness::none);
  grammar.add_check([&options] { check_checkpoint(options); });
  grammar.add_check([&options] { check_predictions(options); });
}

}  // namespace shortfall::app

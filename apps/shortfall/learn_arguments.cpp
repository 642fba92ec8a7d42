#include "apps/shortfall/learn_arguments.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/options.hpp"
#include "errors/require.hpp"
#include "text/number.hpp"

namespace shortfall::app {
bool prints_predictions(const LearnOptions& options) {
  return options.run.predictions == "-" || options.run.predictions == "/dev/stdout";
}

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
  refuse_unless(!options.run.checkpoint.empty(), "--checkpoint-every", "with --checkpoint FILE");
  for (const char* const name : {"--resume-at-row", "--accept-replay"}) {
    require(!options.run.checkpoint.empty() || given.count(name) == 0,
            "{} without --checkpoint; accepted: with --checkpoint FILE", name);
  }
  require(!options.clip_costs || given.count("--cost-range") > 0,
          "--clip-costs without --cost-range; accepted: with --cost-range LO,HI");
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

void check_outputs(const LearnOptions& options) {
  const learn::StreamOptions& run = options.run;
  require(
      !prints_predictions(options) || (!options.json && options.report_every == 0),
      "--predictions is {}, where --json and --report-every write; accepted: a file, a pipe, or "
      "neither of them",
      run.predictions);
  check_is_file("--bad-rows", run.bad_rows);
}

/// LO,HI: -inf and inf for no limit.
io::CostRange parse_cost_range(const std::string& text) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const std::string_view words = text;
  const std::size_t comma = std::min(words.find(','), words.size());
  const std::string_view after = words.substr(std::min(comma + 1, words.size()));
  const io::CostRange range{.low = io::parse_number(words.substr(0, comma)).value_or(none),
                            .high = io::parse_number(after).value_or(none)};
  require(range.holds_any(),
          "found {}; accepted: LO,HI, the smaller number first, as in 0,1000 or 0,inf", text);
  return range;
}

void add_row_options(const Grammar& grammar, LearnOptions& options) {
  learn::StreamOptions& run = options.run;
  grammar->add_flag("--skip-bad-rows", run.skip_bad_rows,
                    "Skip and count rows that cannot be read; may be given when a run resumes");
  grammar
      ->add_option(
          "--bad-rows", run.bad_rows,
          "Skip bad rows, and write number, line, reason and text of each to this CSV file")
      ->check(not_empty());
  grammar
      ->add_option("--max-bad-share", run.largest_bad_share,
                   "Skip bad rows, but stop if more than this share of a thousand rows is bad")
      ->default_str("");
  add_parsed(
      grammar, "--cost-range",
      [&run](const std::string& text) { run.costs = parse_cost_range(text); },
      "LO,HI: a row whose cost is below LO or above HI is a bad row");
  grammar.offer("--cost-range", {});
  grammar->add_flag("--clip-costs", options.clip_costs,
                    "Learn from rows outside --cost-range with the nearer bound as their cost");
  grammar.add_check([&options] {
    if (options.clip_costs) options.run.costs.outside = io::CostRange::Outside::clip;
  });
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

void check_request(const IntervalRequest& asked) {
  require(asked.level || !asked.method,
          "--interval-method without --confidence; accepted: both, or none");
  require(!asked.level || (*asked.level > 0.0 && *asked.level < 1.0),
          "--confidence is {}; accepted: a number between 0 and 1, such as 0.95",
          asked.level.value_or(0.0));
}

}  // namespace

void check_intervals(const learn::LearnerOptions& learner, const IntervalRequest& asked) {
  if (!asked.level) return;
  const bool newton = is_newton(learner.algorithm);
  const bool as_published = newton && learner.newton.variant == learn::NewtonVariant::as_published;
  require(newton || learner.average_from,
          "--confidence with {}; accepted: --algorithm newton, or an average by --average-from N",
          to_string(learner.algorithm));
  require(!as_published,
          "--confidence with --as-published, whose error comes mostly from its warm-up; accepted: "
          "one of "
          "them");
  require(newton || learner.step.assumption().holds,
          "--confidence with averages of --step {}, whose bias it would not show; accepted: "
          "decreasing steps, such as 1,100,0.7, or --algorithm newton",
          learner.step.to_string());
  require(!newton || !learner.half_life || asked.method != learn::IntervalMethod::random_scaling,
          "--interval-method random-scaling with --forget; accepted: batch-means");
  require(newton || !learner.half_life,
          "--confidence with --forget and averages; accepted: --algorithm newton");
  require(newton || asked.method != learn::IntervalMethod::batch_means,
          "--interval-method batch-means with averages; accepted: random-scaling");
}

namespace {

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

}  // namespace

void add_interval_options(const Grammar& grammar, IntervalRequest& asked, std::string& at) {
  grammar->add_option("--confidence", asked.level,
                      "Standard errors of the weights, and intervals that hold a value with this "
                      "probability, such as 0.95");
  add_input(grammar, "--at", at,
            "CSV file with header x1,..,xd: the states whose values are wanted, and with "
            "--confidence their intervals");
  add_named(grammar, "--interval-method", asked.method, learn::interval_method_names, "method",
            "batch-means (newton's default) or random-scaling (of averages)");
  grammar.add_check([&asked, &at] {
    check_request(asked);
    if (!at.empty()) asked.at = io::read_features_csv(at);
  });
}

namespace {

void add_asked_values(const Grammar& grammar, LearnOptions& options) {
  add_interval_options(grammar, options.intervals, options.at);
  grammar.add_check([&options] {
    check_intervals(options.run.learner, options.intervals);
    if (options.at.empty()) return;
    options.run.check_dimension = [asked = options.intervals.at.dimension](std::size_t d) {
      require(asked == d, "{} features, but --at has {}; accepted: the same number", d, asked);
    };
  });
}

void add_drift_options(const Grammar& grammar, LearnOptions& options) {
  grammar->add_flag("--as-published", options.as_published,
                    "newton exactly as the paper prints it: no row is forgotten");
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
      ->add_option(
          "--predictions", options.run.predictions,
          "Write row, value before the update and residual of each row to this CSV file or "
          "pipe; -: to standard output, and the result to standard error")
      ->check(not_empty());
  add_choice(grammar, "--log", options.log, log_format_names,
             "Form of notices on standard error: text, or json, one object per line");
}

}  // namespace

void add_learn_options(const Grammar& grammar, LearnOptions& options) {
  grammar.add_check([&options, &given = grammar.app()] { check_fits_algorithm(given, options); });
  grammar
      ->add_option(
          "file", options.file,
          "One transition per line: CSV with header "
          "x1,..,xd,y1,..,yd,cost[,terminal][,weight][,seq], or NDJSON with keys x, y, "
          "cost[, terminal][, weight][, seq]; x: current features, y: next features; other "
          "columns and keys are ignored; -: standard input")
      ->capture_default_str();
  add_learner_options(grammar, options.run.learner);
  add_drift_options(grammar, options);
  add_asked_values(grammar, options);
  add_resume_options(grammar, options);
  add_output_options(grammar, options);
  add_row_options(grammar, options);
  add_general_options(grammar, options, Randomness::none);
  grammar.add_check([&options] { check_checkpoint(options); });
  grammar.add_check([&options] { check_outputs(options); });
  grammar.reads("file");
  for (const char* const name : {"--checkpoint", "--predictions", "--bad-rows"}) {
    grammar.updates(name);
  }
}

}  // namespace shortfall::app

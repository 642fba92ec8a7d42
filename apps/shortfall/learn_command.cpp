#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "command.hpp"
#include "learn_run.hpp"
#include "progress.hpp"
#include "shortfall/error.hpp"
#include "shortfall/theory/conditions.hpp"

namespace shortfall::app {
namespace {

learn::Algorithm algorithm_of(const std::string& name) {
  if (name == "td") return learn::Algorithm::td;
  return name == "td-lambda" ? learn::Algorithm::td_lambda : learn::Algorithm::newton;
}

/// The hypotheses of the convergence theorem that can be seen from the options; those on the chain
/// and on the features cannot. The theorem is about TD.
bool options_meet_conditions(const LearnOptions& options) {
  return options.algorithm == "td" &&
         theory::check_conditions(AnyLoss::parse(options.loss), options.gamma).guaranteed() &&
         learn::AnyStep::parse(options.step).assumption().holds;
}

/// Whether the stream ended without a row to learn from, now or before the checkpoint.
bool has_no_row(const LearnRun& run) {
  return run.learner() && run.learner()->updates() == 0 && run.stopped_by().empty() &&
         run.status() != learn::Status::diverged;
}

std::string_view status_word(const LearnRun& run) {
  return has_no_row(run) ? "no-rows" : learn::to_string(run.status());
}

nlohmann::json document(const LearnRun& run, const LearnOptions& options) {
  const learn::AnyLearner& learner = *run.learner();
  nlohmann::json result = {{"theta", learner.theta()},
                           {"updates", learner.updates()},
                           {"status", status_word(run)},
                           {"algorithm", options.algorithm},
                           {"loss", AnyLoss::parse(options.loss).to_string()},
                           {"gamma", options.gamma},
                           {"options_meet_conditions", options_meet_conditions(options)},
                           {"skipped_rows", run.stream().skipped_rows()}};
  if (const learn::InformationMatrix* information = learner.information()) {
    result["warmup"] = information->warmup();
    result["inversions"] = information->inversions();
    result["failed_inversions"] = information->failed_inversions();
    result["distance_to_singularity"] = information->distance_to_singularity();
  }
  if (!run.stopped_by().empty()) result["stopped_by"] = run.stopped_by();
  return result;
}

std::string explanation(const LearnRun& run) {
  const learn::AnyLearner& learner = *run.learner();
  if (has_no_row(run)) return "no rows: theta is where it began";
  switch (run.status()) {
    case learn::Status::ok:
      return "ok";
    case learn::Status::warming_up:
      return fmt::format("warming up: newton begins after {} rows, --warmup",
                         learner.information()->warmup());
    case learn::Status::singular:
      return "singular: the features seen so far do not determine newton's step";
    case learn::Status::diverged:
      return fmt::format(
          "diverged at row {}: values grew beyond what costs can add up to; theta is from before",
          run.stream().rows());
  }
  return {};
}

std::string report(const LearnRun& run, const LearnOptions& options) {
  const learn::AnyLearner& learner = *run.learner();
  std::string text = fmt::format("{} with {} and gamma {}: {} updates of {} weights",
                                 options.algorithm, AnyLoss::parse(options.loss).to_string(),
                                 options.gamma, learner.updates(), learner.dimension());
  if (const auto skipped = run.stream().skipped_rows(); skipped > 0) {
    text += fmt::format(", {} bad rows skipped", skipped);
  }
  if (!run.stopped_by().empty()) text += fmt::format(", stopped by {}", run.stopped_by());
  text += "\n\n feature                  theta\n";
  for (std::size_t i = 0; i < learner.dimension(); ++i) {
    text += fmt::format("{:8} {:22.15g}\n", i + 1, learner.theta()[i]);
  }
  text += fmt::format("\n{}\n", explanation(run));
  if (options_meet_conditions(options)) return text;
  return text +
         (options.algorithm == "td"
              ? "theory does not guarantee convergence for these options; see shortfall check\n"
              : "theory has no guarantee of convergence for this algorithm\n");
}

void report_resumption(const LearnRun& run, const LearnOptions& options) {
  if (!run.is_resumed()) return;
  const std::uint64_t rows = run.stream().rows();
  const std::uint64_t skipped = run.stream().skipped_rows();
  fmt::print(stderr, "shortfall: going on from {} after {} rows{}{}\n", options.checkpoint, rows,
             skipped == 0 ? "" : fmt::format(" and {} bad ones", skipped),
             run.stream().is_regular_file()
                 ? ""
                 : fmt::format("; the input must go on with row {}", rows + skipped + 1));
}

/// Stopped before it knew how many features there are.
void print_nothing_seen(const LearnRun& run, const LearnOptions& options) {
  if (options.json) {
    print_json({{"theta", nlohmann::json::array()},
                {"updates", 0},
                {"status", learn::to_string(run.status())},
                {"stopped_by", run.stopped_by()}});
  } else {
    print(fmt::format("no row yet, stopped by {}\n", run.stopped_by()));
  }
}

void print_result(const LearnRun& run, const LearnOptions& options) {
  if (run.learner()) {
    if (options.json) print_json(document(run, options));
    if (!options.json) print(report(run, options));
  } else if (!run.stopped_by().empty()) {
    print_nothing_seen(run, options);
  } else {
    throw InvalidInput(fmt::format("{}: all {} rows are bad; accepted: at least one that is not",
                                   run.stream().name(), run.stream().skipped_rows()));
  }
}

}  // namespace

learn::LearnerOptions LearnOptions::learner() const {
  return {.algorithm = algorithm_of(algorithm),
          .loss = AnyLoss::parse(loss),
          .gamma = gamma,
          .lambda = lambda,
          .step = learn::AnyStep::parse(step),
          .averaged = average_from.has_value(),
          .average_from = average_from.value_or(0),
          .newton = {.warmup = warmup}};
}

ExitCode run(const LearnOptions& options) {
  LearnRun learning(options);
  report_resumption(learning, options);
  {
    Progress progress;
    learning.learn([&](const LearnRun& now) {
      if (!progress.due()) return;
      progress.show(fmt::format("{} rows, {}", now.stream().rows(), to_string(now.status())));
    });
  }
  print_result(learning, options);
  learning.check_saved();
  if (has_no_row(learning)) {
    const std::uint64_t skipped = learning.stream().skipped_rows();
    fmt::print(stderr, "shortfall: {}: there is no row to learn from{}; accepted: at least one\n",
               learning.stream().name(),
               skipped == 0 ? "" : fmt::format(", {} bad ones were skipped", skipped));
    return no_answer;
  }
  return learning.status() == learn::Status::ok ? success : no_answer;
}

}  // namespace shortfall::app

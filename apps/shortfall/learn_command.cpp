#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/learn_run.hpp"
#include "apps/shortfall/progress.hpp"
#include "shortfall/error.hpp"
#include "shortfall/theory/conditions.hpp"

namespace shortfall::app {
namespace {

learn::Algorithm algorithm_of(const std::string& name) {
  if (name == "td") return learn::Algorithm::td;
  return name == "td-lambda" ? learn::Algorithm::td_lambda : learn::Algorithm::newton;
}

/// Whether the options meet the hypotheses of the convergence theorem, which is about TD. Those on
/// the chain and on the features cannot be checked here.
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

std::string_view status_name(const LearnRun& run) {
  return has_no_row(run) ? "no-rows" : learn::to_string(run.status());
}

nlohmann::json document(const LearnRun& run, const LearnOptions& options) {
  const learn::AnyLearner& learner = *run.learner();
  nlohmann::json result = {{"theta", learner.theta()},
                           {"updates", learner.updates()},
                           {"status", status_name(run)},
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
  const std::uint64_t rows = run.stream().rows();
  if (has_no_row(run)) return "no rows: theta still has its initial value";
  switch (run.status()) {
    case learn::Status::ok:
      return fmt::format("{}: {} rows, no divergence",
                         run.stopped_by().empty() ? "finished" : "stopped", rows);
    case learn::Status::warming_up:
      return fmt::format("still warming up after {} rows: newton's first step needs {} (--warmup)",
                         rows, learner.information()->warmup());
    case learn::Status::singular:
      return fmt::format(
          "singular after {} rows: the features seen so far do not determine newton's step", rows);
    case learn::Status::diverged:
      return fmt::format(
          "diverged at row {}: values grew beyond any sum of the costs; theta is from before that",
          rows);
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
  if (options.algorithm == "td") {
    return text + "theory does not guarantee convergence for these options; see shortfall check\n";
  }
  return text + fmt::format("no convergence proof exists for {}; compare with td\n",
                            options.algorithm == "newton" ? "Newton" : "TD(lambda)");
}

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
    if (options.json) print_json(document(run, options));
    if (!options.json) print(report(run, options));
  } else if (!run.stopped_by().empty()) {
    print_stopped_early(run, options);
  } else {
    throw InvalidInput(fmt::format("{}: all {} rows are bad; accepted: at least one valid row",
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
  print_resume_notice(learning, options);
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
    fmt::print(stderr,
               "shortfall: {}: there is no row to learn from{}; accepted: at least one row\n",
               learning.stream().name(),
               skipped == 0 ? "" : fmt::format(", {} bad rows were skipped", skipped));
    return no_answer;
  }
  return learning.status() == learn::Status::ok ? success : no_answer;
}

}  // namespace shortfall::app

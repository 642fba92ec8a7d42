#include "apps/shortfall/learn_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string_view>

#include "shortfall/theory/conditions.hpp"

namespace shortfall::app {
namespace {

using learn::Algorithm;

/// Whether the options meet the hypotheses of the convergence theorems, which are about TD and
/// averager TD. Those on the chain cannot be checked here, nor those on the features of TD; those
/// of averagers are checked with each row. Weights of averagers stay bounded whatever the costs if
/// slopes are bounded and steps vanish (averager_steps.hpp); for other losses that depends on
/// costs.
bool options_meet_conditions(const learn::LearnerOptions& learner) {
  const bool steps_vanish = learner.step.assumption().holds && !learner.half_life;
  if (!steps_vanish) return false;
  if (learner.algorithm == Algorithm::averager_td) {
    return learner.gamma < 1.0 && std::isfinite(learner.loss.slope_bounds().upper);
  }
  return learner.algorithm == Algorithm::td &&
         theory::check_conditions(learner.loss, learner.gamma).guaranteed();
}

std::string no_proof_text(Algorithm algorithm) {
  switch (algorithm) {
    case Algorithm::td:
    case Algorithm::averager_td:
      return "theory does not guarantee convergence for these options; see shortfall check\n";
    case Algorithm::td_lambda:
      return "no convergence proof exists for TD(lambda); compare with td\n";
    case Algorithm::newton:
      return "no convergence proof exists for Newton; compare with td\n";
    case Algorithm::averager_newton:
      return "no convergence proof exists for Newton; compare with averager-td\n";
  }
  return {};
}

std::string_view status_name(const LearnRun& run) {
  return has_no_row(run) ? "no-rows" : learn::to_string(run.status());
}

std::string explanation(const LearnRun& run) {
  const learn::AnyLearner& learner = *run.learner();
  const std::uint64_t rows = run.stream().rows();
  if (has_no_row(run)) return "no rows: theta still has its initial value";
  switch (run.status()) {
    case learn::LearnerStatus::ok:
      return fmt::format("{}: {} rows, no divergence",
                         run.stopped_by().empty() ? "finished" : "stopped", rows);
    case learn::LearnerStatus::warming_up:
      return fmt::format("still warming up after {} rows: newton's first step needs {} (--warmup)",
                         rows, learner.information()->warmup());
    case learn::LearnerStatus::singular:
      return fmt::format(
          "singular after {} rows: the features seen so far do not determine newton's step", rows);
    case learn::LearnerStatus::diverged:
      return fmt::format(
          "diverged at row {}: values grew beyond any sum of the costs; theta is from before that",
          rows);
  }
  return {};
}

nlohmann::json drift_json(const DriftWatch& drift) {
  return {
      {"alarms", drift.alarm.alarms()},
      {"last_alarm_row", drift.last_row > 0 ? nlohmann::json(drift.last_row) : nlohmann::json()},
      {"false_alarm_rate", drift.alarm.false_alarm_rate()}};
}

std::string drift_text(const DriftWatch& drift) {
  if (drift.alarm.alarms() == 0) return "";
  return fmt::format(
      "residuals have left what they were {}, last at row {}: the stream has changed (false "
      "alarms: "
      "{:g} % of streams); --forget follows changes\n",
      drift.alarm.alarms() == 1 ? "once" : fmt::format("{} times", drift.alarm.alarms()),
      drift.last_row, 100.0 * drift.alarm.false_alarm_rate());
}

}  // namespace

bool has_no_row(const LearnRun& run) {
  return run.learner() && run.learner()->updates() == 0 && run.stopped_by().empty() &&
         run.status() != learn::LearnerStatus::diverged;
}

nlohmann::json learning_json(const LearnRun& run) {
  const learn::LearnerOptions& options = run.options().learner;
  const learn::AnyLearner& learner = *run.learner();
  nlohmann::json result = {{"theta", learner.theta()},
                           {"updates", learner.updates()},
                           {"status", status_name(run)},
                           {"algorithm", to_string(options.algorithm)},
                           {"loss", options.loss.to_string()},
                           {"gamma", options.gamma},
                           {"options_meet_conditions", options_meet_conditions(options)},
                           {"skipped_rows", run.stream().skipped_rows()},
                           {"effective_samples", learner.effective_samples()},
                           {"drift", drift_json(run.drift())}};
  add_intervals(result, learner, run.options().intervals);
  if (const learn::InformationMatrix* information = learner.information()) {
    result["warmup"] = information->warmup();
    result["inversions"] = information->inversions();
    result["failed_inversions"] = information->failed_inversions();
    result["distance_to_singularity"] = information->distance_to_singularity();
  }
  if (!run.stopped_by().empty()) result["stopped_by"] = run.stopped_by();
  return result;
}

nlohmann::json report_json(const LearnRun& run) {
  const learn::AnyLearner& learner = *run.learner();
  nlohmann::json report = {{"updates", learner.updates()},
                           {"status", learn::to_string(run.status())},
                           {"theta", learner.theta()},
                           {"alarms", run.drift().alarm.alarms()}};
  add_intervals(report, learner, run.options().intervals);
  return report;
}

std::string learning_text(const LearnRun& run) {
  const learn::LearnerOptions& options = run.options().learner;
  const learn::AnyLearner& learner = *run.learner();
  std::string text =
      fmt::format("{} with {} and gamma {}: {} updates of {} weights", to_string(options.algorithm),
                  options.loss.to_string(), options.gamma, learner.updates(), learner.dimension());
  if (const auto skipped = run.stream().skipped_rows(); skipped > 0) {
    text += fmt::format(", {} bad rows skipped", skipped);
  }
  if (!run.stopped_by().empty()) text += fmt::format(", stopped by {}", run.stopped_by());
  if (learner.effective_samples() < 0.999 * static_cast<double>(learner.updates())) {
    text += fmt::format(", worth {:.0f} of equal weight", learner.effective_samples());
  }
  const IntervalRequest& intervals = run.options().intervals;
  text += fmt::format("\n\n feature                  theta{}\n",
                      intervals.level ? "   standard error" : "");
  for (std::size_t i = 0; i < learner.dimension(); ++i) {
    text += fmt::format("{:8} {:22.15g}", i + 1, learner.theta()[i]);
    if (intervals.level) {
      text += fmt::format(" {:>16}", standard_error_text(learner, i, intervals));
    }
    text += '\n';
  }
  if (run.status() != learn::LearnerStatus::diverged) text += intervals_text(learner, intervals);
  text += fmt::format("\n{}\n{}", explanation(run), drift_text(run.drift()));
  return options_meet_conditions(options) ? text : text + no_proof_text(options.algorithm);
}

}  // namespace shortfall::app

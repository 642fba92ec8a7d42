#include "apps/shortfall/learn_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>
#include <vector>

#include "shortfall/theory/conditions.hpp"

namespace shortfall::app {
namespace {

using learn::Algorithm;
using learn::Interval;
using learn::IntervalStatus;

/// The intervals of all weights, or of all states asked for.
struct Intervals {
  std::vector<Interval> all;

  std::size_t count(IntervalStatus status) const {
    return static_cast<std::size_t>(std::ranges::count(all, status, &Interval::status));
  }
  std::size_t missing() const { return count(IntervalStatus::not_yet); }

  /// That of all if they agree. Those that are missing are said first.
  std::string_view status() const {
    if (missing() == 0) {
      return to_string(count(IntervalStatus::short_batches) > 0 ? IntervalStatus::short_batches
                                                                : IntervalStatus::ok);
    }
    return missing() < all.size() ? "partly" : to_string(IntervalStatus::not_yet);
  }

  nlohmann::json column(double Interval::*field) const {
    nlohmann::json numbers = nlohmann::json::array();
    for (const Interval& one : all) {
      numbers.push_back(std::isfinite(one.*field) ? nlohmann::json(one.*field) : nlohmann::json());
    }
    return numbers;
  }
};

learn::IntervalOptions options_of(const IntervalRequest& request) {
  return {.level = *request.level, .method = request.method};
}

Intervals of_weights(const learn::AnyLearner& learner, const IntervalRequest& request) {
  Intervals found;
  std::vector<double> unit(learner.dimension());
  for (double& x : unit) {
    x = 1.0;
    found.all.push_back(learner.interval(unit, options_of(request)));
    x = 0.0;
  }
  return found;
}

Intervals of_states(const learn::AnyLearner& learner, const IntervalRequest& request) {
  Intervals found;
  for (std::size_t i = 0; i < request.at.size(); ++i) {
    found.all.push_back(learner.interval(request.at.row(i), options_of(request)));
  }
  return found;
}

std::string bound_text(double bound) {
  return std::isfinite(bound) ? fmt::format("{:.10g}", bound) : "not yet";
}

/// The standard error of a weight, from 0, or "not yet".
std::string standard_error_text(const learn::AnyLearner& learner, std::size_t weight,
                                const IntervalRequest& request) {
  std::vector<double> unit(learner.dimension());
  unit[weight] = 1.0;
  const Interval found = learner.interval(unit, options_of(request));
  return std::isfinite(found.standard_error) ? fmt::format("{:.6g}", found.standard_error)
                                             : "not yet";
}

/// The states' values as a table.
std::string values_text(const learn::AnyLearner& learner, const IntervalRequest& request) {
  if (request.at.size() == 0) return "";
  std::string text = "\n   state              value\n";
  for (std::size_t i = 0; i < request.at.size(); ++i) {
    text += fmt::format("{:8} {:>18.10g}\n", i + 1, learner.value(request.at.row(i)));
  }
  return text;
}

/// The same with their intervals, and whether they can be trusted.
std::string intervals_text(const learn::AnyLearner& learner, const IntervalRequest& request) {
  if (!request.level) return values_text(learner, request);
  const Intervals states = of_states(learner, request);
  std::string text;
  if (!states.all.empty()) {
    text += fmt::format("\n   state              value                low               high\n");
    for (std::size_t i = 0; i < states.all.size(); ++i) {
      const Interval& one = states.all[i];
      text += fmt::format("{:8} {:>18.10g} {:>18} {:>18}\n", i + 1, one.value, bound_text(one.low),
                          bound_text(one.high));
    }
  }
  const Intervals asked = states.all.empty() ? of_weights(learner, request) : states;
  const std::size_t known = asked.all.size() - asked.missing();
  if (known == 0) return text + "\nno intervals yet: they need more rows\n";
  if (asked.missing() > 0) {
    text +=
        fmt::format("\nno interval yet for {} of {} {}: more rows are needed\n", asked.missing(),
                    asked.all.size(), states.all.empty() ? "weights" : "states");
  }
  if (asked.count(IntervalStatus::short_batches) > 0) {
    text +=
        "\nwarning: intervals are too narrow: correlation lasts longer than a batch; "
        "more rows help, and --interval-method random-scaling\n";
  } else if (!states.all.empty()) {
    text += fmt::format("\neach interval holds the limit of its value with probability {}\n",
                        *request.level);
  }
  return text;
}

/// Whether the options meet the hypotheses of the convergence theorems, as far as they can be known
/// here: those on the chain cannot, nor those on the features of TD; those of averagers are checked
/// with each row. Steps that were given may be too large for the features, and are if the run
/// diverged. Weights of averagers stay bounded whatever the costs if steps are scaled, or slopes
/// bounded and steps vanish (averager_steps.hpp); for other losses that depends on costs.
bool options_meet_conditions(const LearnResult& result) {
  const learn::LearnerOptions& learner = result.run.options().learner;
  const bool steps_vanish = learner.step.assumption().holds && !learner.half_life;
  if (!steps_vanish || result.run.status() == learn::LearnerStatus::diverged) return false;
  const SlopeBounds slopes = learner.loss.slope_bounds();
  switch (learner.algorithm) {
    case Algorithm::td:
      return theory::check_conditions(learner.loss, learner.gamma).guaranteed();
    case Algorithm::td_lambda:
      return learner.gamma < 1.0 && slopes.lower == slopes.upper;
    case Algorithm::averager_td:
      return learner.gamma < 1.0 && (learner.step.is_scaled() || std::isfinite(slopes.upper));
    case Algorithm::newton:
    case Algorithm::averager_newton:
      break;
  }
  return false;
}

std::string no_proof_text(const LearnResult& result) {
  switch (result.run.options().learner.algorithm) {
    case Algorithm::td:
    case Algorithm::averager_td:
      return "theory does not guarantee convergence for these options; see shortfall check\n";
    case Algorithm::td_lambda:
      return "convergence of TD(lambda) is proved for the mean only, and for steps that vanish\n";
    case Algorithm::newton:
    case Algorithm::averager_newton:
      return fmt::format(
          "no convergence proof exists for Newton{}\n",
          result.intervals.level ? "" : "; --confidence 0.95 says how far to trust it");
  }
  return {};
}

std::string_view status_name(const LearnResult& result) {
  return has_no_row(result) ? "no-rows" : result.run.status_name();
}

/// What a single row has done to the values, if anything.
std::string outlier_text(const learn::StreamRun& run) {
  const learn::OutlierWatch& watch = run.outliers();
  if (watch.outliers() == 0) return "";
  const learn::OutlierWatch::Outlier& last = watch.last();
  const std::string rows = watch.outliers() == 1
                               ? fmt::format("row {} (cost {:g}) has", last.row, last.cost)
                               : fmt::format("{} rows, the last of them row {} (cost {:g}), have",
                                             watch.outliers(), last.row, last.cost);
  return fmt::format(
      "{} a loss more than a hundred times the largest before{}\n", rows,
      watch.is_upset()
          ? ", and the values have been more than ten times as large since; if that is "
            "a mistake, start over with --cost-range LO,HI; if not, go on with a range "
            "that holds it"
          : "; --cost-range LO,HI refuses or clips such costs");
}

/// The row of the last one, or null.
nlohmann::json last_outlier_row(const learn::OutlierWatch& watch) {
  return watch.outliers() > 0 ? nlohmann::json(watch.last().row) : nlohmann::json();
}

/// Whether steps were given that do not know the scale of the features.
bool takes_other_steps(const LearnResult& result) {
  const learn::LearnerOptions& options = result.run.options().learner;
  return !is_newton(options.algorithm) && !options.step.is_scaled();
}

/// Why TD is not settled, and what helps.
std::string movement_text(const learn::AnyLearner& learner) {
  const auto movement = learner.movement();
  if (!movement) return "too few to tell; more rows, or --algorithm newton";
  const double percent = 100.0 * *movement;
  return fmt::format(
      "values still move, and may be off by {} of the largest (settled: {:g} %); more rows, or "
      "--algorithm newton",
      percent < 1000.0 ? fmt::format("{:.2g} %", percent) : "many times the size",
      100.0 * learn::IterateMeans::settled_movement);
}

/// Of TD with scaled steps: by how much values may be off, or null as long as that is not known.
void add_movement(nlohmann::json& document, const LearnResult& result) {
  const learn::LearnerOptions& options = result.run.options().learner;
  if (is_newton(options.algorithm) || !options.step.is_scaled()) return;
  const auto movement = result.run.learner()->movement();
  document["movement"] = movement ? nlohmann::json(*movement) : nlohmann::json();
}

std::string explanation(const LearnResult& result) {
  const learn::AnyLearner& learner = *result.run.learner();
  const std::uint64_t rows = result.run.stream().rows();
  if (has_no_row(result)) return "no rows: theta still has its initial value";
  switch (result.run.status()) {
    case learn::LearnerStatus::ok:
      return fmt::format("{}: {} rows, no divergence",
                         result.stopped_by.empty() ? "finished" : "stopped", rows);
    case learn::LearnerStatus::warming_up:
      return fmt::format("still warming up after {} rows: newton's first step needs {} (--warmup)",
                         rows, learner.information()->warmup());
    case learn::LearnerStatus::singular:
      return fmt::format(
          "singular after {} rows: the features seen so far do not determine newton's step", rows);
    case learn::LearnerStatus::diverged:
      return fmt::format(
          "diverged at row {}: values exceed any possible discounted cost; theta is the last "
          "finite estimate{}",
          rows, takes_other_steps(result) ? "; steps are too large: leave --step out" : "");
    case learn::LearnerStatus::not_settled:
      return fmt::format("not settled after {} rows: {}", rows, movement_text(learner));
  }
  return {};
}

nlohmann::json drift_json(const learn::DriftWatch& drift) {
  return {
      {"alarms", drift.alarm.alarms()},
      {"last_alarm_row", drift.last_row > 0 ? nlohmann::json(drift.last_row) : nlohmann::json()},
      {"false_alarm_rate", drift.alarm.false_alarm_rate()}};
}

std::string drift_text(const learn::DriftWatch& drift) {
  if (drift.alarm.alarms() == 0) return "";
  return fmt::format(
      "the residuals have moved away from zero {}, last at row {}: the stream has changed (false "
      "alarms: "
      "{:g} % of streams); --forget follows changes\n",
      drift.alarm.alarms() == 1 ? "once" : fmt::format("{} times", drift.alarm.alarms()),
      drift.last_row, 100.0 * drift.alarm.false_alarm_rate());
}

}  // namespace

void add_intervals(nlohmann::json& document, const learn::AnyLearner& learner,
                   const IntervalRequest& request) {
  if (learner.status() == learn::LearnerStatus::diverged) return;
  if (!request.level) {
    for (std::size_t i = 0; i < request.at.size(); ++i) {
      document["values"].push_back(learner.value(request.at.row(i)));
    }
    return;
  }
  const Intervals weights = of_weights(learner, request);
  const Intervals states = of_states(learner, request);
  document["confidence"] = *request.level;
  document["interval_status"] = (request.at.size() > 0 ? states : weights).status();
  document["standard_error"] = weights.column(&Interval::standard_error);
  if (request.at.size() == 0) return;
  document["values"] = states.column(&Interval::value);
  document["low"] = states.column(&Interval::low);
  document["high"] = states.column(&Interval::high);
}

bool has_no_row(const LearnResult& result) {
  const std::optional<learn::AnyLearner>& learner = result.run.learner();
  return (!learner || learner->updates() == 0) && result.stopped_by.empty() &&
         result.run.status() != learn::LearnerStatus::diverged;
}

nlohmann::json learning_json(const LearnResult& result) {
  const learn::LearnerOptions& options = result.run.options().learner;
  const learn::AnyLearner& learner = *result.run.learner();
  nlohmann::json document = {{"theta", learner.theta()},
                             {"updates", learner.updates()},
                             {"status", status_name(result)},
                             {"algorithm", to_string(options.algorithm)},
                             {"loss", options.loss.to_string()},
                             {"gamma", options.gamma},
                             {"options_meet_conditions", options_meet_conditions(result)},
                             {"skipped_rows", result.run.stream().skipped_rows()},
                             {"clipped_rows", result.run.stream().clipped_rows()},
                             {"outliers", result.run.outliers().outliers()},
                             {"last_outlier_row", last_outlier_row(result.run.outliers())},
                             {"effective_samples", learner.effective_samples()},
                             {"drift", drift_json(result.run.drift())}};
  add_movement(document, result);
  add_intervals(document, learner, result.intervals);
  if (const learn::InformationMatrix* information = learner.information()) {
    document["warmup"] = information->warmup();
    document["inversions"] = information->inversions();
    document["failed_inversions"] = information->failed_inversions();
    document["distance_to_singularity"] = information->distance_to_singularity();
  }
  if (!result.stopped_by.empty()) document["stopped_by"] = result.stopped_by;
  return document;
}

nlohmann::json report_json(const LearnResult& result) {
  const std::optional<learn::AnyLearner>& learner = result.run.learner();
  const io::TransitionStream& stream = result.run.stream();
  nlohmann::json report = {
      {"updates", learner ? learner->updates() : 0},
      {"status", result.run.status_name()},
      {"theta", learner ? nlohmann::json(learner->theta()) : nlohmann::json::array()},
      {"alarms", result.run.drift().alarm.alarms()},
      {"skipped_rows", stream.skipped_rows()},
      {"clipped_rows", stream.clipped_rows()},
      {"outliers", result.run.outliers().outliers()}};
  if (!learner) return report;
  add_movement(report, result);
  add_intervals(report, *learner, result.intervals);
  return report;
}

std::string learning_text(const LearnResult& result) {
  const learn::LearnerOptions& options = result.run.options().learner;
  const learn::AnyLearner& learner = *result.run.learner();
  std::string text =
      fmt::format("{} with {} and gamma {}: {} updates of {} weights", to_string(options.algorithm),
                  options.loss.to_string(), options.gamma, learner.updates(), learner.dimension());
  if (const auto skipped = result.run.stream().skipped_rows(); skipped > 0) {
    text += fmt::format(", {} bad row{} skipped", skipped, skipped == 1 ? "" : "s");
  }
  if (const auto clipped = result.run.stream().clipped_rows(); clipped > 0) {
    text += fmt::format(", {} cost{} clipped", clipped, clipped == 1 ? "" : "s");
  }
  if (!result.stopped_by.empty()) text += fmt::format(", stopped by {}", result.stopped_by);
  if (learner.effective_samples() < 0.999 * static_cast<double>(learner.updates())) {
    text += fmt::format(", worth {:.0f} of equal weight", learner.effective_samples());
  }
  const IntervalRequest& intervals = result.intervals;
  // A learner that has diverged has no values.
  const bool has_intervals =
      intervals.level && result.run.status() != learn::LearnerStatus::diverged;
  text += fmt::format("\n\n feature                  theta{}\n",
                      has_intervals ? "   standard error" : "");
  for (std::size_t i = 0; i < learner.dimension(); ++i) {
    text += fmt::format("{:8} {:22.15g}", i + 1, learner.theta()[i]);
    if (has_intervals) {
      text += fmt::format(" {:>16}", standard_error_text(learner, i, intervals));
    }
    text += '\n';
  }
  if (result.run.status() != learn::LearnerStatus::diverged)
    text += intervals_text(learner, intervals);
  text += fmt::format("\n{}\n{}{}", explanation(result), outlier_text(result.run),
                      drift_text(result.run.drift()));
  return options_meet_conditions(result) ? text : text + no_proof_text(result);
}

}  // namespace shortfall::app

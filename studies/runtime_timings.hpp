#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "published/runtimes.hpp"
#include "studies/runtime_findings.hpp"
#include "studies/training_choices.hpp"
#include "studies/verdict_rules.hpp"

/// Measured times beside the published ones.
namespace shortfall::studies {

/// A row of the table `cells`.
struct Timing {
  std::size_t m;
  double tau;
  std::string method;
  std::string training;  ///< as published, or ours; of VI "exact"
  double paper_seconds;
  bool paper_is_lower_bound;
  double paper_gap_percent;  ///< NaN: none
  double seconds;
  double gap_percent;  ///< NaN: none
  double times_faster;
  SHORTFALL_RECORD(m, tau, method, training, paper_seconds, paper_is_lower_bound, paper_gap_percent,
                   seconds, gap_percent, times_faster)
};

/// Times and gaps of one choice, as published by default where an algorithm does not have it.
class Timings {
 public:
  Timings(const std::vector<TimedEvaluation>& evaluations, std::string_view choice) {
    for (const TimedEvaluation& evaluation : evaluations) add(evaluation, choice);
  }

  Coverage coverage() const {
    return all_.size() == 3 * published_runtimes.size() ? Coverage::whole : Coverage::sample;
  }
  const std::vector<Timing>& all() const { return all_; }

  /// Range of a number over the rows of a method and a shelf life.
  struct Range {
    double least = std::numeric_limits<double>::infinity();
    double most = -std::numeric_limits<double>::infinity();
  };
  Range seconds(std::string_view method, std::size_t shelf_life,
                double Timing::*value = &Timing::seconds) const {
    Range range;
    for (const Timing& timing : all_) {
      if (timing.method != method || timing.m != shelf_life) continue;
      range.least = std::min(range.least, timing.*value);
      range.most = std::max(range.most, timing.*value);
    }
    return range;
  }

 private:
  void add(const TimedEvaluation& found, std::string_view choice) {
    const auto paper = std::ranges::find_if(published_runtimes, [&](const auto& row) {
      return row.shelf_life == found.m && row.tau == found.tau;
    });
    if (paper == published_runtimes.end()) throw std::logic_error("not a published setting");
    const auto add = [&](std::string_view method, std::string_view training, double paper_seconds,
                         double paper_gap, const TimedEstimates& estimates) {
      all_.push_back({found.m, found.tau, std::string(method), std::string(training), paper_seconds,
                      paper->is_lower_bound && method == "VI", paper_gap, estimates.seconds,
                      100.0 * std::abs(estimates.mean - found.exact) / found.exact,
                      paper_seconds / estimates.seconds});
    };
    const double none = std::numeric_limits<double>::quiet_NaN();
    add("VI", "exact", paper->exact_seconds, none, {.seconds = found.exact_seconds, .mean = none});
    const TimedEstimates& td = estimates_by(found, "TD", choice);
    const TimedEstimates& newton = estimates_by(found, "Newton", choice);
    add("TD", td.choice, paper->td_seconds, paper->td_gap_percent, td);
    add("Newton", newton.choice, paper->newton_seconds, paper->newton_gap_percent, newton);
  }

  static const TimedEstimates& estimates_by(const TimedEvaluation& found,
                                            std::string_view algorithm, std::string_view choice) {
    const auto find = [&](std::string_view name) {
      return std::ranges::find_if(found.estimates, [&](const TimedEstimates& estimates) {
        return estimates.algorithm == algorithm && estimates.choice == name;
      });
    };
    auto estimates = find(choice);
    if (estimates == found.estimates.end()) estimates = find(published_column);
    if (estimates == found.estimates.end()) throw std::logic_error("no estimates as published");
    return *estimates;
  }

  std::vector<Timing> all_;
};

/// All measured times.
struct AllTimings {
  explicit AllTimings(const std::vector<TimedEvaluation>& evaluations)
      : published(evaluations, published_column), ours(evaluations, our_column) {
    std::vector<std::string> names{std::string(published_column), std::string(our_column)};
    for (const TimedEvaluation& evaluation : evaluations) {
      for (const TimedEstimates& estimates : evaluation.estimates) {
        if (std::ranges::count(names, estimates.choice) > 0) continue;
        names.push_back(estimates.choice);
        others.push_back({estimates.choice, Timings(evaluations, estimates.choice)});
      }
    }
  }

  struct Chosen {
    std::string choice;
    Timings timings;
  };
  Timings published;
  Timings ours;
  std::vector<Chosen> others = {};  ///< of what the paper leaves open
};

}  // namespace shortfall::studies

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
#include "studies/study.hpp"
#include "studies/training_choices.hpp"

namespace shortfall::studies {

/// Independent estimates of a value in one way: seconds per estimate, and the mean of those that
/// had a usable trajectory.
struct TimedEstimates {
  std::string algorithm = {};  ///< TD or Newton
  std::string choice = {};     ///< the name of a TrainingChoice
  double seconds = 0.0;
  double mean = 0.0;
  std::size_t unusable = 0;  ///< estimates without a usable trajectory
  SHORTFALL_RECORD(algorithm, choice, seconds, mean, unusable)
};

/// Evaluations of the static policy at shelf life m, exactly and from samples.
struct TimedEvaluation {
  std::size_t m = 0;
  double tau = 0.0;
  double exact = 0.0;  ///< the value at the empty stock
  double exact_seconds = 0.0;
  std::vector<TimedEstimates> estimates = {};
  SHORTFALL_RECORD(m, tau, exact, exact_seconds, estimates)
};

/// Shelf life 5: the gap of the static policy, and the time of the optimum.
struct StaticGapOfFive {
  double tau = 0.0;
  double gap_percent = 0.0;
  double optimum_seconds = 0.0;
  SHORTFALL_RECORD(tau, gap_percent, optimum_seconds)
};

/// Shelf life 8: a row of the table `eight`.
struct SolutionOfEight {
  double tau = 0.0;
  std::string policy = {};  ///< Optimal or Static
  double value = 0.0;
  double error_bound = infinity;
  int order_at_empty = 0;
  double seconds = 0.0;
  std::size_t states = 0;
  SHORTFALL_RECORD(tau, policy, value, error_bound, order_at_empty, seconds, states)
};

/// The result of a part of table-runtime, which has rows of one kind.
struct Runtimes {
  std::vector<TimedEvaluation> evaluations = {};
  std::vector<StaticGapOfFive> five = {};
  std::vector<SolutionOfEight> eight = {};
  SHORTFALL_RECORD(evaluations, five, eight)
};

Results conclude_runtimes(const std::vector<Runtimes>& parts);

// Measured times beside the published ones.

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
  Range seconds(std::string_view method, std::size_t shelf_life,
                double Timing::*value = &Timing::seconds) const {
    Range range;
    for (const Timing& timing : all_) {
      if (timing.method != method || timing.m != shelf_life) continue;
      range.add(timing.*value);
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

}  // namespace shortfall::studies

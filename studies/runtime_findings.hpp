#pragma once

#include <string>
#include <vector>

#include "studies/study.hpp"

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
  double error_bound = 0.0;
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

}  // namespace shortfall::studies

#pragma once

#include <span>
#include <string>
#include <vector>

#include "studies/study.hpp"

namespace shortfall::studies {

/// Quantile functions are given at 0, 1/200, .., 1.
inline constexpr int distribution_steps = 200;

/// A difference of paired samples x_1, y_1, .., and its standard error.
struct PairedDifference {
  double mean = 0.0;
  double standard_error = 0.0;
  SHORTFALL_RECORD(mean, standard_error)
};

PairedDifference mean_difference(std::span<const double> x, std::span<const double> y);
/// Var x - Var y, by the mean of (x - x̄)² - (y - ȳ)².
PairedDifference variance_difference(std::span<const double> x, std::span<const double> y);
/// P(x > bound) - P(y > bound).
PairedDifference exceedance_difference(std::span<const double> x, std::span<const double> y,
                                       double bound);
/// max |F_x - F_y|.
double kolmogorov_distance(std::span<const double> x, std::span<const double> y);

/// A row of the table `summary`, without its setting.
struct CostSummary {
  double mean = 0.0;
  double standard_error = 0.0;
  double standard_deviation = 0.0;
  double q05 = 0.0;
  double q50 = 0.0;
  double q95 = 0.0;
  double q99 = 0.0;
  double cost_per_period = 0.0;
  double service_level = 0.0;
  double wastage_rate = 0.0;
  SHORTFALL_RECORD(mean, standard_error, standard_deviation, q05, q50, q95, q99, cost_per_period,
                   service_level, wastage_rate)
};

/// Discounted costs under the policy of one level.
struct LevelCosts {
  double tau = 0.0;
  CostSummary summary = {};
  std::vector<double> quantiles = {};
  SHORTFALL_RECORD(tau, summary, quantiles)
};

/// One of the pictured costs at all levels, under policies trained in one way, and differences
/// between the levels 0.1 (seeking), 0.5 (neutral) and 0.9 (averse).
struct SimulatedCosts {
  std::string cost = {};
  std::string choice = {};  ///< the name of a TrainingChoice
  std::vector<LevelCosts> levels = {};
  PairedDifference mean_seeking_above_neutral = {};
  PairedDifference mean_averse_above_neutral = {};
  PairedDifference variance_seeking_above_neutral = {};
  PairedDifference variance_neutral_above_averse = {};
  PairedDifference extremes_seeking_above_neutral = {};
  PairedDifference extremes_neutral_above_averse = {};
  double distance_seeking_averse = 0.0;  ///< of the distribution functions
  SHORTFALL_RECORD(cost, choice, levels, mean_seeking_above_neutral, mean_averse_above_neutral,
                   variance_seeking_above_neutral, variance_neutral_above_averse,
                   extremes_seeking_above_neutral, extremes_neutral_above_averse,
                   distance_seeking_averse)
};

/// The result of a part of figure-costs.
struct CostsOfChoices {
  std::vector<SimulatedCosts> choices = {};
  SHORTFALL_RECORD(choices)
};

Results conclude_costs(const std::vector<CostsOfChoices>& parts);

}  // namespace shortfall::studies

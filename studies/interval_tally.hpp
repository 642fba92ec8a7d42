#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "shortfall/learn/interval.hpp"
#include "studies/interval_runs.hpp"

namespace shortfall::studies {

/// All runs, for one state.
struct StateTally {
  std::size_t covered = 0;
  std::size_t not_yet = 0;
  std::size_t short_batches = 0;
  double batch_correlation = 0.0;        ///< sum over intervals
  std::vector<double> half_widths = {};  ///< of the intervals that there are
  std::vector<double> errors = {};
};

/// One algorithm and method after one number of updates.
struct CellTally {
  std::size_t runs = 0;
  std::vector<StateTally> states = {};

  void add(const CellTally& more);  ///< runs that came later
};

void add_interval(const learn::Interval& interval, double truth, StateTally& sum);

/// Writes coverage, widths and errors to the cell, beside the asymptotic deviations of n updates by
/// state; q is the long-run law of the states.
void summarise(const CellTally& tally, const Eigen::VectorXd& deviation,
               const std::vector<double>& q, IntervalCell& cell);

}  // namespace shortfall::studies

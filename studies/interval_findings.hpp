#pragma once

#include <string>
#include <vector>

#include "studies/interval_runs.hpp"
#include "studies/verdict_rules.hpp"

namespace shortfall::studies {

/// What 95 % intervals should do: hold the value in 93 to 97 % of runs on average over states, and
/// in no state in fewer than 92 %, at a width of at most 1.15 times that of the asymptotic
/// covariance. The error of an estimate should be within 1.1 times the asymptotic deviation.
namespace interval_goals {
inline constexpr double least_mean_coverage = 0.93;
inline constexpr double most_mean_coverage = 0.97;
inline constexpr double least_state_coverage = 0.92;
inline constexpr double most_width = 1.15;
inline constexpr double most_error = 1.1;
}  // namespace interval_goals

/// A cell whose coverage misses the goals, and why.
struct IntervalMiss {
  std::string chain = {};
  std::string features = {};
  double tau = 0.0;
  std::uint64_t n = 0;
  std::string algorithm = {};
  std::string method = {};
  double coverage = 0.0;
  double least_coverage = 0.0;
  double least_visits = 0.0;
  std::string why = {};
  SHORTFALL_RECORD(chain, features, tau, n, algorithm, method, coverage, least_coverage,
                   least_visits, why)
};
std::vector<IntervalMiss> interval_misses(const std::vector<IntervalCell>& cells);

/// Our statements about intervals, checked by the tables. Those about coverage are of the largest
/// n, and stay open with fewer runs or updates than the full scale has.
std::vector<Finding> interval_findings(const IntervalTables& tables);

}  // namespace shortfall::studies

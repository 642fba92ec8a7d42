#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "studies/study.hpp"

namespace shortfall::studies {

/// Rows of the tables. The chain is given by p and the root: "smaller" or "larger".
struct DriftRow {
  double p = 0.0;
  std::string root = {};
  double theta = 0.0;
  double drift = 0.0;
  SHORTFALL_RECORD(p, root, theta, drift)
};

struct PathRow {
  double p = 0.0;
  std::string root = {};
  std::size_t path = 0;
  std::uint64_t iteration = 0;
  double theta = 0.0;
  SHORTFALL_RECORD(p, root, path, iteration, theta)
};

struct PathSummaryRow {
  double p = 0.0;
  std::string root = {};
  std::uint64_t iteration = 0;
  double mean_theta = 0.0;
  double standard_error = 0.0;
  int drift_sign = 0;
  double expected_theta = 0.0;
  SHORTFALL_RECORD(p, root, iteration, mean_theta, standard_error, drift_sign, expected_theta)
};

struct ConditionRow {
  double p = 0.0;
  std::string root = {};
  double gamma = 0.0;
  double gamma_limit = 0.0;
  double sharp_gamma_limit = 0.0;
  double distortion_gamma_limit = 0.0;
  double largest_value = 0.0;
  double drift_at_smaller_gamma = 0.0;
  double drift_at_larger_gamma = 0.0;
  double expected_theta = 0.0;
  double expected_theta_half_steps = 0.0;
  SHORTFALL_RECORD(p, root, gamma, gamma_limit, sharp_gamma_limit, distortion_gamma_limit,
                   largest_value, drift_at_smaller_gamma, drift_at_larger_gamma, expected_theta,
                   expected_theta_half_steps)
};

/// The result of a part, for one chain; or the tables of the study, for all.
struct CounterexampleTables {
  std::vector<DriftRow> drift = {};
  std::vector<PathRow> paths = {};
  std::vector<PathSummaryRow> paths_summary = {};
  std::vector<ConditionRow> conditions = {};
  SHORTFALL_RECORD(drift, paths, paths_summary, conditions)
};

/// The paper's statements about the counterexample, and ours, checked by the tables.
std::vector<Finding> counterexample_findings(const CounterexampleTables& tables);

}  // namespace shortfall::studies

#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shortfall/learn/step_size.hpp"
#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/library.hpp"
#include "studies/study.hpp"

namespace shortfall::studies {

/// The p at which the drift vanishes for all θ ≥ 0; also the discount factor of the example.
inline constexpr double critical_probability = 0.9;

/// A smaller drift is rounding: those of the example are of the order 1e-3 to 1e-1.
inline constexpr double drift_rounding = 1e-12;
int sign_of_drift(double drift);

/// The two-state chain, with one of its features.
struct CounterexampleChain {
  CounterexampleChain(double probability, library::DeltaRoot delta);

  double p;
  library::DeltaRoot root;
  library::Counterexample example;
  Chain chain;
  std::vector<double> q;

  std::string root_name() const;

  /// h(θ) of the mean field, at this discount factor.
  double drift(double theta, double gamma) const;
  double drift(double theta) const { return drift(theta, example.gamma); }

  /// 8 `factor` / |φ|² / (n + 1000)^(2/3). Divided by |φ|² so that the steps have the same size for
  /// both roots, and small enough that θ keeps its sign.
  learn::PolynomialStep steps(double factor = 1.0) const;

  /// E θ_n of TD with these steps from θ_0 = 1, the first state drawn from q; exactly, for
  /// `record_at` in increasing order. While θ > 0 the update is θ' = θ (1 + η_n a(x, x')) with a(x,
  /// x') = φ(x) ℓ(γφ(x') - φ(x)), so that m_n(x) = E[θ_n; X_n = x] has the recursion
  ///
  ///   m_{n+1}(x') = Σ_x m_n(x) P(x'|x) (1 + η_n a(x, x')).
  ///
  /// The drift is the first order of this in the steps; in the second, successive moves are
  /// correlated.
  std::vector<double> expected_iterates(const std::vector<std::uint64_t>& record_at,
                                        double factor = 1.0) const;
};

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

#pragma once

#include <Eigen/Core>
#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "shortfall/mdp/chain.hpp"
#include "shortfall/risk/any_loss.hpp"
#include "shortfall/theory/asymptotic_covariance.hpp"

namespace shortfall::studies {

/// The chains on which intervals are tried:
///
///   random     ten states, which mixes at once: library::random_mdp of seed 5, γ = 0.9
///   walk       twenty states, which mixes slowly: moves -1, 0, 1 with 0.4, 0.2, 0.4, held at the
///              ends, γ = 0.9
///   platelets  the stocks of shelf life 3 and capacity 5 that base-stock 4 reaches from the empty
///              one, some of them rarely, γ = 0.6
inline constexpr std::array<std::string_view, 3> interval_chains = {"random", "walk", "platelets"};

/// What θ weighs: one feature per state, which holds every value, or fewer: 4 orthonormal ones on
/// the random chain, 5 groups of four neighbours on the walk, and the polynomials of degree 2 on
/// the stocks.
inline constexpr std::array<std::string_view, 2> interval_features = {"one per state", "fewer"};

struct IntervalSetting {
  std::string chain = {};
  std::string features = {};
  double tau = 0.5;  ///< level of the expectile
};

/// A setting with its limit θ* and the covariance of √n (θ_n - θ*), both computed without sampling.
struct IntervalProblem {
  IntervalSetting setting;
  double gamma;
  AnyLoss loss;
  Chain chain;
  Eigen::MatrixXd phi;
  std::vector<double> q = {};
  Eigen::VectorXd limit = {};
  theory::AsymptoticCovariance asymptotic = {};

  Eigen::VectorXd values() const { return phi * limit; }
  /// Of φ(x)ᵀθ_n, by state, times √n.
  Eigen::VectorXd deviations() const;
  /// The coverage, for large n, of 95 % intervals from C_0 in place of Γ: in the worst state.
  double least_coverage_without_autocovariances() const;
};

IntervalProblem interval_problem(const IntervalSetting& setting);

/// Half the width of a 95 % interval, in standard deviations.
inline constexpr double normal_quantile_95 = 1.959963984540054;

}  // namespace shortfall::studies

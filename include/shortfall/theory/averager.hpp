#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "shortfall/mdp/chain.hpp"
#include "shortfall/risk/any_loss.hpp"
#include "shortfall/risk/rounding.hpp"

/// Learning with averagers converges for every loss, every γ < 1 and every sampling law.
///
/// An averager (Gordon, "Stable function approximation in dynamic programming", ICML 1995) has
/// features φ ≥ 0 with Σφ ≤ 1 in every state: aggregation, tiles, interpolation on a grid,
/// normalised radial functions. Its learner compares a target with the cell's own weight instead of
/// with the value φᵀθ of the state,
///
///   θ_i ← θ_i + η φ_i(X) ℓ(c + γ φ(X')ᵀθ - θ_i)     for every i with φ_i(X) > 0.            (*)
///
/// With states drawn from q, its mean update divided by η is h_i(θ) = m_i E ℓ(c + γ φ(X')ᵀθ - θ_i),
/// where m_i = Σ_x q(x) φ_i(x) and the mean is over the law μ_i ∝ q(x) φ_i(x) P(x'|x) of
/// transitions from cell i. Since the risk ρ is the root of m ↦ E ℓ(Y - m), h is 0 at the fixed
/// points of
///
///   (Kθ)_i = ρ_{μ_i}(c + γ φ(X')ᵀθ),
///
/// and h_i has the sign of (Kθ)_i - θ_i everywhere.
///
/// **K is a γ-contraction in the sup norm.** With D = max_i |θ_i - η_i|, φ ≥ 0 and Σφ ≤ 1 give
/// φ(x')ᵀθ ≤ φ(x')ᵀη + D. A shortfall risk is monotone, and ρ(Y + a) = ρ(Y) + a, so that
/// (Kθ)_i ≤ (Kη)_i + γD; exchange θ and η. Nothing else is used: any loss will do, slopes may be
/// unbounded, and q need not be stationary. So there is exactly one θ*, and from any θ
///
///   max_i |θ_i - θ*_i| ≤ max_i |(Kθ)_i - θ_i| / (1-γ).
///
/// **The mean field is globally stable.** Along θ' = h(θ), where D = max_i |θ_i - θ*_i| is attained
/// by θ_i = θ*_i + D, (Kθ)_i ≤ θ*_i + γD < θ_i, so that h_i < 0; likewise below. If slopes are at
/// least ε₁, h_i ≤ -m_i ε₁ (1-γ) D: D decays at the rate ε₁ (1-γ) min m_i or faster.
///
/// **Iterates cannot diverge**, whatever the samples: see averager_steps.hpp.
///
/// **Together** these give convergence with probability one (stochastic approximation by its mean
/// field: Borkar, "Stochastic Approximation", 2008, chapters 2 and 6; for sup-norm contractions
/// Tsitsiklis, "Asynchronous stochastic approximation and Q-learning", Machine Learning 16, 1994)
/// if Σ η_n = ∞, Σ η_n² < ∞, steps are small enough for the box of averager_steps.hpp, and states
/// come from independent draws or from a path with one recurrent class, periodic or not. Not
/// proven here: a rate; convergence of the Newton version; steps that depend on the data.
///
/// **Hard aggregation** has one φ_i = 1 in every state. There φᵀθ = θ_i and (*) is UBSR-TD itself,
/// for which the discount condition of conditions.hpp is thus void. In general the fixed points
/// differ: TD's is that of a projection, which need not be a contraction in any norm.
///
/// **Cells without visits**, m_i = 0, are never updated: their weights stay what they were, and K
/// leaves them. Then all of the above holds for the other weights, with these as constants.
///
/// **Terminal states** have value 0: their rows of Φ count as zeros, whatever they contain.
namespace shortfall::theory {

/// Sums of a row of Φ may exceed 1 by this much: rounding of up to some thousand terms.
inline constexpr double averager_sum_tolerance = 1e-12;

/// A row that an averager cannot have: a feature that is negative or not finite, or the sum.
struct AveragerViolation {
  Eigen::Index state;
  std::optional<Eigen::Index> feature;  ///< none: the sum of the row
  double value;
  /// The largest sum of a row, if only sums are wrong: all features divided by it are an averager.
  std::optional<double> largest_sum = {};

  std::string accepted() const;  ///< "a number >= 0", or "at most 1 ..", with the divisor
  std::string message() const;   ///< "x2 = -0.5; accepted: ..", features counted from 1
};

/// The first violation, row by row; none if Φ is an averager. Rows of zeros are accepted.
std::optional<AveragerViolation> averager_violation(const Eigen::Ref<const Eigen::MatrixXd>& phi);

/// Whether every row has one entry 1 and else zeros; rows of terminal states do not count.
bool is_hard_aggregation(const Chain& chain, const Eigen::Ref<const Eigen::MatrixXd>& phi);

/// K, for a chain and a law q of the states in which updates are made. Holds a reference to the
/// chain, which must outlive it. Check: one cell with φ = 1 in all states and cost c has
/// Kθ = c + γθ and θ* = c/(1-γ).
class AveragerOperator {
 public:
  /// Throws InvalidInput unless γ is in [0, 1), Φ matches the chain and is an averager, and q is a
  /// law over the states with q > 0 in some state that is not terminal.
  AveragerOperator(const Chain& chain, AnyLoss loss, double gamma, Eigen::MatrixXd phi,
                   std::span<const double> q);

  const Chain& chain() const { return *chain_; }
  const AnyLoss& loss() const { return loss_; }
  double gamma() const { return gamma_; }
  const Eigen::MatrixXd& phi() const { return phi_; }
  std::span<const double> q() const { return q_; }
  Eigen::Index dimension() const { return phi_.cols(); }

  /// m_i by cell, 0 where it is never visited.
  const Eigen::VectorXd& visits() const { return visits_; }
  bool is_visited(Eigen::Index i) const { return visits_[i] > 0.0; }
  /// States that matter to K, ascending: those with q > 0 and their successors, without terminal
  /// ones. For a stationary q they are those with q > 0.
  const std::vector<StateIndex>& reached() const { return reached_; }
  /// γ max Σφ over these states, rounded up: the modulus of K. At most γ, up to rounding.
  double modulus() const { return modulus_; }

  /// Kθ as computed, and how far it may be from the exact one in any cell (risk/rounding.hpp, with
  /// the errors of φᵀθ and of the weights q φ P added); infinite if there is no bound.
  struct Image {
    Eigen::VectorXd value;
    double rounding;
  };
  Image apply(const Eigen::Ref<const Eigen::VectorXd>& theta) const;

  /// h(θ), the mean update of the learner; 0 in cells without visits.
  Eigen::VectorXd drift(const Eigen::Ref<const Eigen::VectorXd>& theta) const;

  /// I - K'(θ), given Kθ. ρ has the derivative Σ w Y' with weights w ∝ μ_i ℓ'(Y - (Kθ)_i), so that
  /// row i is e_i - γ Σ w φ(x')ᵀ: an M-matrix, with off-diagonal entries ≤ 0 and row sums of at
  /// least 1-γ. It is thus invertible, with an inverse ≥ 0 whose row sums are at most 1/(1-γ).
  /// Left slopes at kinks; the row of a cell without visits is e_i.
  Eigen::MatrixXd newton_matrix(const Eigen::Ref<const Eigen::VectorXd>& theta,
                                const Eigen::Ref<const Eigen::VectorXd>& image) const;

 private:
  struct Transition {
    StateIndex next;
    double cost;
    double weight;  ///< μ_i
  };
  void add_cell(Eigen::Index i);
  std::span<const Transition> cell(Eigen::Index i) const;
  /// c + γ φ(x')ᵀθ for the transitions of a cell.
  void write_targets(Eigen::Index i, const Eigen::VectorXd& values,
                     std::vector<double>& targets) const;

  const Chain* chain_;
  AnyLoss loss_;
  double gamma_;
  Eigen::MatrixXd phi_;
  std::vector<double> q_;
  Eigen::VectorXd visits_;
  std::vector<StateIndex> reached_;
  double modulus_ = 0.0;
  double active_ = 0.0;  ///< the most features of a state
  std::vector<std::size_t> cell_begin_{0};
  std::vector<Transition> transitions_;
  std::vector<double> weights_;         ///< of transitions_, contiguous
  std::vector<RiskRounding> rounding_;  ///< by cell
};

}  // namespace shortfall::theory

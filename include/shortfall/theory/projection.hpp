#pragma once

#include <Eigen/Core>
#include <span>
#include <vector>

#include "shortfall/theory/conditions.hpp"
#include "shortfall/theory/contraction.hpp"

/// Geometry of the value functions that linear features can represent, in the norm of a law q: ⟨v,
/// w⟩_q = Σ q(x) v(x) w(x). Features are an N × d matrix Φ, one row per state, one column per
/// feature. A state with q(x) = 0 does not affect this norm.
namespace shortfall::theory {

double q_inner(const Eigen::Ref<const Eigen::VectorXd>& v,
               const Eigen::Ref<const Eigen::VectorXd>& w, std::span<const double> q);
double q_norm(const Eigen::Ref<const Eigen::VectorXd>& v, std::span<const double> q);

/// A column of Φ that is a combination of others in the q-norm; indices count from 0.
struct DependentFeature {
  Eigen::Index feature;
  std::vector<Eigen::Index> on;  ///< empty: the feature is zero wherever q > 0
};

/// A column's distance from the span of the others counts as zero below this, relative to the
/// column's own q-norm.
inline constexpr double rank_tolerance = 1e-10;

/// The dependent columns of Φ, none if it has full rank, from a column-pivoted QR decomposition of
/// diag(√q) Φ with columns scaled to norm one. Among the columns of one relation, the last is
/// reported. Throws InvalidInput unless q has an entry ≥ 0 for each row of Φ, the entries sum to
/// one, and Φ is finite.
std::vector<DependentFeature> dependent_features(const Eigen::Ref<const Eigen::MatrixXd>& phi,
                                                 std::span<const double> q);

/// The assumption that the features are bounded and linearly independent.
Assumption features_assumption(const Eigen::Ref<const Eigen::MatrixXd>& phi,
                               std::span<const double> q);

/// The projection Π onto span Φ in the q-norm, by a QR decomposition of diag(√q) Φ; normal
/// equations would square the condition number.
class Projection {
 public:
  /// Throws InvalidInput if Φ or q do not meet the requirements of `dependent_features`, or if
  /// features are dependent; the message then names them, counted from 1.
  Projection(Eigen::MatrixXd phi, std::span<const double> q);

  const Eigen::MatrixXd& phi() const { return phi_; }
  std::span<const double> q() const { return {q_.data(), static_cast<std::size_t>(q_.size())}; }
  Eigen::Index states() const { return phi_.rows(); }
  Eigen::Index dimension() const { return phi_.cols(); }

  /// The θ with Φθ = Πv.
  Eigen::VectorXd coefficients(const Eigen::Ref<const Eigen::VectorXd>& v) const;
  /// Πv.
  Eigen::VectorXd operator()(const Eigen::Ref<const Eigen::VectorXd>& v) const;

  /// B = Φ M with columns that are orthonormal in the q-norm, so that ‖Bw‖_q = ‖w‖₂.
  Eigen::MatrixXd orthonormal_features() const;
  /// M w: the θ with Φθ = Bw.
  Eigen::VectorXd from_orthonormal(const Eigen::Ref<const Eigen::VectorXd>& w) const;
  /// M⁻¹ θ: the w with Bw = Φθ.
  Eigen::VectorXd to_orthonormal(const Eigen::Ref<const Eigen::VectorXd>& theta) const;

  /// An estimate of the condition number of diag(√q) Φ with columns scaled to norm one: the ratio
  /// of the largest to the smallest diagonal entry of its triangular factor.
  double condition() const { return condition_; }
  /// The extreme singular values of diag(√q) Φ itself, for `ParameterContraction`.
  SingularRange singular_range() const;

 private:
  Eigen::MatrixXd phi_;
  Eigen::VectorXd q_;
  Eigen::MatrixXd orthogonal_;  ///< diag(√q) Φ = orthogonal · from_theta
  Eigen::MatrixXd from_theta_;  ///< M⁻¹, a triangular factor with its columns permuted
  Eigen::MatrixXd to_theta_;    ///< M
  double condition_ = 1.0;
};

}  // namespace shortfall::theory

#pragma once

#include <Eigen/Core>

#include "shortfall/theory/mean_field.hpp"

namespace shortfall::theory {

/// How far online estimates are from their limit θ* after many updates along one path. With scores
/// s_n = φ(X_n) ℓ(δ_n), δ_n = c_n + (γ φ(X_{n+1}) - φ(X_n))ᵀθ*, and A = h'(θ*) of the mean field,
///
///   √n (θ_n - θ*) → N(0, A⁻¹ Γ A⁻ᵀ),     Γ = C_0 + Σ_{k≥1} (C_k + C_kᵀ),   C_k = E s_0 s_kᵀ,
///
/// for UBSR-Newton, and for averages of TD with steps that decrease more slowly than 1/n (Polyak
/// and Juditsky, SIAM J. Control Optim. 30, 1992), which is the least that any step can give.
/// Γ is the long-run covariance of the scores, whose mean h(θ*) is 0. Where the features hold the
/// value, E[s_n | X_n] = 0 and Γ = C_0; otherwise with m(x) = φ(x) E[ℓ | x] and the solution
/// f = Σ_k Pᵏ m of (I - P + 1qᵀ) f = m,
///
///   Σ_{k≥1} C_k = E s_0 f(X_1)ᵀ.
///
/// Check: two states that are left with probability 1/4, costs 1 and -1, one feature φ = 1 and the
/// mean. Then θ* = 0, A = γ - 1 and C_k = 2⁻ᵏ, so that Γ = 3; at γ = 1/2 the covariance is 12.
struct AsymptoticCovariance {
  Eigen::MatrixXd covariance;           ///< A⁻¹ Γ A⁻ᵀ: divided by n, that of θ_n
  Eigen::MatrixXd jacobian;             ///< A, with left slopes of ℓ
  Eigen::MatrixXd score_covariance;     ///< C_0
  Eigen::MatrixXd long_run_covariance;  ///< Γ
};

/// At a root `theta` of the drift, see `projected_fixed_point`. In O(N³ + N²d) time for N states.
/// If ℓ has a kink at a δ that occurs with positive probability, the limit is not normal and this
/// describes the side of the left slopes. Throws InvalidInput for a θ of the wrong length, a q that
/// is not stationary for the chain, and a singular A.
AsymptoticCovariance asymptotic_covariance(const MeanField& field,
                                           const Eigen::Ref<const Eigen::VectorXd>& theta);

}  // namespace shortfall::theory

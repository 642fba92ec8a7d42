#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <pcg_random.hpp>
#include <vector>

#include "shortfall/features/dense.hpp"
#include "shortfall/learn/learner.hpp"
#include "shortfall/learn/step_size.hpp"
#include "shortfall/learn/trajectory.hpp"
#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/sampler.hpp"
#include "shortfall/risk/any_loss.hpp"

/// Bounds on the distance of a learner from its limit θ* after n updates.
///
/// Write ℓ_n for ℓ(δ_n) at θ*, Z_n = γφ(X_{n+1}) - φ(X_n), u = θ - θ*, and for the trace (λ = 0:
/// ζ_n = φ(X_n))
///
///   b(x) = q(x) E[ζ_n | X_n = x] = q(x) φ(x) + γλ Σ_y b(y) P(x|y),
///   h(θ) = E ζ_n ℓ(δ_n(θ)) = Σ_x b(x) E[ℓ | x],   A = h'(θ*) = Σ_x b(x) E[ℓ' Z | x]ᵀ,
///   Γ = the long-run covariance of ζ_n ℓ_n = C_0 + Σ_{k≥1} (C_k + C_kᵀ).
///
/// Γ at λ = 0: with m(x) = φ(x) E[ℓ | x] and f = Σ_k Pᵏ m = (I - P + 1qᵀ)⁻¹ m (qᵀm = 0),
/// C_0 = Σ_x q φφᵀ E[ℓ²|x] and Σ_{k≥1} C_k = E[φ(X_0) ℓ_0 f(X_1)ᵀ]. At λ > 0 only for features that
/// hold the truth: then E[ℓ | x] = 0 everywhere, and Γ = Σ_x W(x) E[ℓ²|x] where W(x) = q(x)
/// E[ζ_n ζ_nᵀ | X_n = x] solves, with B(x) = Σ_y b(y) P(x|y),
///
///   W(x) = q φφᵀ + γλ (B φᵀ + φ Bᵀ) + (γλ)² Σ_y W(y) P(x|y).
///
/// In sums over y, P excludes restarts, at which the trace is reset.
///
/// Last iterate (Fabian, Ann. Math. Statist. 39, 1968; Benveniste, Métivier, Priouret, "Adaptive
/// Algorithms and Stochastic Approximations", 1990, Part II ch. 4): u_n / √η_n → N(0, Q),
/// (A + κI/2) Q + Q (A + κI/2)ᵀ + Γ = 0, with κ = lim 1/η_{n+1} - 1/η_n. Here κ is taken at n,
/// which is the correction of first order where the limit is 0.
///
/// Averages (Polyak and Juditsky, SIAM J. Control Optim. 30, 1992) and Newton: √n u_n →
/// N(0, A⁻¹ΓA⁻ᵀ). For Newton, L_n = G_n + mean(ℓ' X Zᵀ u) to first order, and in θ_n = mean θ -
/// H_n⁻¹ L_n the means of u cancel.
///
/// Two further parts do not average out, and are bounded.
///
/// Start: u of the learner without noise, u ← u + η h. For Newton the same with H_n and L_n from
/// A(θ) and h(θ); once θ is where h is linear, its error falls like 1/n.
///
/// Curvature: E h(θ* + u) - A u is not 0. For normal u with the covariance above, and w = Zᵀu,
///
///   |bias| ≤ Σ_x |A⁻¹ b(x)| E[|ℓ(δ + w) - ℓ(δ) - ℓ'(δ) w| | x],
///
/// of second order unless ℓ has a kink at a δ that occurs. Boyan's last move is such a case, with
/// δ = 0: the part is then of the order of u itself, and averages of TD do not reach the rate 1/√n.
/// The limit is not normal either. The learner is then a linear one whose matrix changes with the
/// sign of w, and we take the larger of the deviations for the two matrices. In one dimension that
/// is a bound: the stationary law of du = -s(u)u dt + dB is two half-normals of variance 1/(2s±).
namespace shortfall::testing {

/// The value of a chain, to be learned with features Φ; after an end it restarts in state 0.
struct EvaluationProblem {
  EvaluationProblem(Chain model, AnyLoss measure, double discount, Eigen::MatrixXd features);

  /// Feeds a learner n transitions of one path; stops early if it diverges.
  template <learn::Learner L>
  void teach(L& learner, std::uint64_t n, pcg64& bits) const {
    const ChainSampler sampler(chain);
    const features::Dense rows(phi);
    learn::Trajectory path(sampler, learn::StartAt<StateIndex>{0}, bits);
    for (std::uint64_t i = 0; i < n && learner.status() != learn::LearnerStatus::diverged; ++i) {
      const auto [x, cost, next, ends, restarts] = path.step(bits);
      (void)(ends ? learner.update_terminal(rows.row(x), cost)
                  : learner.update(rows.row(x), cost, rows.row(next)));
    }
  }

  Chain chain;
  AnyLoss loss;
  double gamma;
  Eigen::MatrixXd phi;            ///< zeros if terminal
  std::vector<double> q;          ///< long-run law of the states in which updates are made
  Eigen::MatrixXd continuing;     ///< P(x'|x), without transitions to an end
  Eigen::MatrixXd with_restarts;  ///< P of the restarted chain
};

/// Which slope of ℓ is used if δ is at a kink.
enum class Side { left, right };

class Asymptotics {
 public:
  /// `limit` is θ*. At λ > 0 the features must represent the value, and γλ < 1.
  Asymptotics(const EvaluationProblem& evaluation, double lambda, Eigen::VectorXd limit,
              Side side = Side::left);

  const Eigen::VectorXd& limit() const { return limit_; }
  Eigen::VectorXd drift(const Eigen::VectorXd& theta) const;
  Eigen::MatrixXd jacobian(const Eigen::VectorXd& theta) const;
  const Eigen::MatrixXd& jacobian() const { return jacobian_; }
  const Eigen::MatrixXd& noise() const { return noise_; }  ///< Γ

  Eigen::MatrixXd stationary(double kappa) const;  ///< Q
  Eigen::MatrixXd averaged() const;                ///< A⁻¹ΓA⁻ᵀ

  /// A bound on |h'| for all θ.
  double lipschitz() const;

  enum class Slope { at_limit, as_met };
  /// The bound on |bias| above for u of this covariance. Newton's slopes are those at its samples;
  /// then the integrand is |ℓ(δ+w) - ℓ(δ) - ℓ'(δ+w) w| + 2 |(ℓ'(δ+w) - ℓ'(δ)) w|.
  Eigen::VectorXd curvature(const Eigen::MatrixXd& covariance, Slope slope) const;

 private:
  void set_noise_without_trace();
  void set_noise_of_trace(double lambda);

  const EvaluationProblem* evaluation_;
  double offset_;  ///< of δ, to one side
  Eigen::VectorXd limit_;
  Eigen::MatrixXd weights_;  ///< rows b(x)
  Eigen::MatrixXd jacobian_;
  Eigen::MatrixXd noise_;
};

/// |θ_n - θ*| component by component.
struct Tolerance {
  Eigen::MatrixXd covariance;  ///< with the left slopes
  Eigen::VectorXd deviation;   ///< the larger of the two sides'
  Eigen::VectorXd bias;
  Eigen::VectorXd deviations(double count) const { return count * deviation + bias; }
};

struct LearnerRun {
  std::uint64_t updates;
  double lambda = 0.0;
  learn::PolynomialStep step{};
  std::uint64_t average_from = 0;
  std::uint64_t warmup = 500;
};

Tolerance last_iterate_tolerance(const EvaluationProblem& evaluation, const Eigen::VectorXd& limit,
                                 const LearnerRun& run);
Tolerance averaged_tolerance(const EvaluationProblem& evaluation, const Eigen::VectorXd& limit,
                             const LearnerRun& run);
Tolerance newton_tolerance(const EvaluationProblem& evaluation, const Eigen::VectorXd& limit,
                           const LearnerRun& run);

}  // namespace shortfall::testing

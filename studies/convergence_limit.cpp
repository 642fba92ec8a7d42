#include "studies/convergence_limit.hpp"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cstddef>
#include <vector>

#include "shortfall/infinity.hpp"
#include "shortfall/theory/mean_field.hpp"
#include "shortfall/theory/operator_h.hpp"
#include "shortfall/theory/projection.hpp"

namespace shortfall::studies {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

constexpr int most_steps = 20000;
constexpr double away_factor = 1e6;  ///< times the largest possible value
constexpr double tolerated_growth = 1.05;
constexpr double root_tolerance = 1e-11;  ///< of the scale of h

MatrixXd kernel_of(const Chain& chain) {
  const auto n = static_cast<Index>(chain.states());
  MatrixXd p = MatrixXd::Zero(n, n);
  for (Index x = 0; x < n; ++x) {
    const Outcomes::Row law = chain.law(static_cast<std::size_t>(x));
    for (std::size_t i = 0; i < law.next.size(); ++i) p(x, law.next[i]) += law.probability[i];
  }
  for (Index x = 0; x < n; ++x) {
    if (chain.is_terminal(static_cast<std::size_t>(x))) p.col(x).setZero();
  }
  return p;
}

/// The states with q > 0, one column each.
MatrixXd visited_states(const std::vector<double>& q) {
  const auto n = static_cast<Index>(q.size());
  MatrixXd columns = MatrixXd::Zero(n, n - std::ranges::count(q, 0.0));
  for (Index x = 0, j = 0; x < n; ++x) {
    if (q[static_cast<std::size_t>(x)] > 0.0) columns(x, j++) = 1.0;
  }
  return columns;
}

/// h and h' of TD(λ).
class TraceDrift {
 public:
  TraceDrift(const LearningProblem& problem, double lambda)
      : problem_(problem),
        visited_(visited_states(problem.q)),
        by_state_(problem.chain, problem.loss, problem.gamma, visited_, problem.q) {
    const Index n = problem.phi.rows();
    const Eigen::Map<const VectorXd> q(problem.q.data(), n);
    const double decay = problem.gamma * lambda * (1.0 - problem.restart);
    const MatrixXd flow = MatrixXd::Identity(n, n) - decay * kernel_of(problem.chain).transpose();
    traces_ = flow.partialPivLu().solve(q.asDiagonal() * problem.phi);
    visited_phi_ = visited_.transpose() * problem.phi;
    const VectorXd visited_q = visited_.transpose() * q;
    by_q_ = (visited_.transpose() * traces_).transpose() * visited_q.cwiseInverse().asDiagonal();
  }

  VectorXd at(const VectorXd& theta) const {
    return traces_.transpose() * theory::expected_residual(problem_.chain, problem_.loss,
                                                           problem_.gamma, problem_.phi * theta);
  }
  /// With one feature per state, the drift is diag(q) r.
  MatrixXd jacobian(const VectorXd& theta) const {
    return by_q_ * by_state_.jacobian(visited_phi_ * theta) * visited_phi_;
  }
  /// A bound of |h(θ) - h(θ')| in terms of ‖Φθ - Φθ'‖.
  double lipschitz() const {
    return traces_.norm() * problem_.loss.slope_bounds().upper * (1.0 + problem_.gamma);
  }

 private:
  const LearningProblem& problem_;
  MatrixXd visited_;
  theory::MeanField by_state_;
  MatrixXd traces_;  ///< B
  MatrixXd visited_phi_;
  MatrixXd by_q_;  ///< Bᵀ diag(1/q), on the states that are visited
};

double slowest_rate(const MatrixXd& jacobian) {
  return -Eigen::EigenSolver<MatrixXd>(jacobian, false).eigenvalues().real().maxCoeff();
}

TraceLimit limit_at(const VectorXd& root, const TraceDrift& drift) {
  const double rate = slowest_rate(drift.jacobian(root));
  return {rate > 0.0 ? LimitStatus::stable : LimitStatus::unstable, root, rate};
}

}  // namespace

TraceLimit limit_of_traces(const LearningProblem& problem, double lambda) {
  if (!problem.has_full_rank() || !(problem.loss.slope_bounds().upper < infinity)) return {};
  const TraceDrift drift(problem, lambda);
  const Index d = problem.phi.cols();
  const double reach = problem.reach;
  const double shortest = 0.5 / (problem.feature_norm * drift.lipschitz());
  const double is_zero = root_tolerance * drift.lipschitz() * reach;
  double time_step = shortest;
  VectorXd theta = VectorXd::Zero(d);
  VectorXd force = drift.at(theta);
  const double start = force.norm();
  for (int step = 0; step < most_steps; ++step) {
    const MatrixXd jacobian = drift.jacobian(theta);
    if (force.norm() <= 1e-3 * start) {
      const VectorXd trial = theta - jacobian.fullPivLu().solve(force);
      if (drift.at(trial).norm() <= is_zero) return limit_at(trial, drift);
    }
    const MatrixXd shifted = MatrixXd::Identity(d, d) / time_step - jacobian;
    theta += shifted.partialPivLu().solve(force);
    const VectorXd moved = drift.at(theta);
    if (!((problem.phi * theta).norm() <= away_factor * reach))
      return {.status = LimitStatus::away};
    time_step *= moved.norm() <= tolerated_growth * force.norm() ? 1.5 : 0.5;
    time_step = std::max(time_step, shortest);
    force = moved;
  }
  return {};
}

}  // namespace shortfall::studies

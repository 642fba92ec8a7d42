#include "studies/learner_theory.hpp"

#include <fmt/format.h>

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <algorithm>
#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "shortfall/numbers/infinity.hpp"
#include "shortfall/theory/averager_fixed_point.hpp"
#include "shortfall/theory/averager_steps.hpp"
#include "shortfall/theory/feature_conditions.hpp"
#include "shortfall/theory/mean_field.hpp"
#include "shortfall/theory/operator_h.hpp"
#include "shortfall/theory/projection.hpp"

namespace shortfall::studies {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;
using learn::Algorithm;
using theory::Assumption;

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

/// h and h' of TD(λ).
class TraceDrift {
 public:
  TraceDrift(const LearningProblem& problem, double lambda)
      : problem_(problem),
        visited_(one_per_state(problem.q)),
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

/// The ODE takes a factorisation of d × d numbers per step, thousands of times.
constexpr Eigen::Index most_traced_features = 200;
/// And a matrix of this many rows and columns, for the traces.
constexpr std::size_t most_traced_states = 2000;

LearnerLimit projected_limit(const LearningProblem& problem) {
  LearnerLimit limit{.kind = "projected fixed point",
                     .status = std::string(to_string(problem.fixed_point.status))};
  if (problem.has_fixed_point()) limit.values = problem.fixed_point_values();
  return limit;
}

/// K is a contraction for γ < 1 only. With one feature per state it is the Bellman operator, whose
/// fixed point is V; that is stable, as the value of a state depends on later ones alone at γ = 1.
LearnerLimit averager_limit(const LearningProblem& problem) {
  LearnerLimit limit{.kind = "averager's fixed point", .status = "not-computed"};
  if (problem.is_tabular && problem.has_fixed_point()) {
    limit.status = std::string(to_string(problem.fixed_point.status));
    limit.stability = std::string(shortfall::name_of(LimitStatus::stable, limit_names));
    limit.values = problem.fixed_point_values();
    return limit;
  }
  if (!(problem.gamma < 1.0)) return limit;
  const theory::AveragerOperator averager(problem.chain, problem.loss, problem.gamma, problem.phi,
                                          problem.q);
  const theory::AveragerFixedPoint found =
      theory::averager_fixed_point(averager, {.tolerance = 1e-9 * std::max(1.0, problem.reach)});
  limit.status = std::string(to_string(found.status));
  if (found.status != theory::FixedPointStatus::converged) return limit;
  limit.stability = std::string(shortfall::name_of(LimitStatus::stable, limit_names));
  limit.values = problem.phi * found.theta;
  return limit;
}

bool is_linear(const AnyLoss& loss) {
  return loss.slope_bounds().lower == loss.slope_bounds().upper;
}

Assumption& named(std::vector<Assumption>& all, std::string_view name) {
  return *std::ranges::find(all, name, &Assumption::name);
}

/// What holds at γ = 1, which a study allows only where every path ends.
void explain_no_discount(const LearnerCase& given, Assumption& discount) {
  const LearningProblem& problem = given.problem;
  if (problem.gamma < 1.0) return;
  const bool is_proven = is_linear(problem.loss) && problem.restart == 0.0 &&
                         !is_averager(given.learner.options.algorithm);
  if (is_proven) {
    discount.holds = true;
    discount.reason =
        "gamma = 1, but every path ends, which is enough for a linear loss (Bertsekas and "
        "Tsitsiklis, 1996)";
    return;
  }
  discount.reason +=
      "; every path ends, so that the value exists and this need not be a problem, but no proof "
      "says so: judge by the curves";
}

/// The paper's conditions.
std::vector<Assumption> projected_assumptions(const LearnerCase& given) {
  const LearningProblem& problem = given.problem;
  const bool has_restarts = problem.restart > 0.0;
  const double gamma = has_restarts ? std::min(1.0, problem.effective_gamma) : problem.gamma;
  std::vector<Assumption> all = theory::check_conditions(problem.loss, gamma).assumptions;
  Assumption& discount = named(all, "discount");
  if (has_restarts) {
    discount.reason += fmt::format(" (restarts make gamma = {:.6g} act like {:.6g})", problem.gamma,
                                   problem.effective_gamma);
  }
  explain_no_discount(given, discount);
  const Ergodicity& ergodicity = given.visits.ergodicity;
  all.push_back({"ergodic chain", ergodicity.is_ergodic(), ergodicity.message(given.state_base)});
  all.push_back(problem.is_tabular
                    ? Assumption{"features", true, "every state that is visited has its own"}
                    : theory::features_assumption(problem.phi, problem.q));
  return all;
}

/// Rows of states that are not visited are zeros, since nothing depends on them.
Eigen::MatrixXd visited_rows(const LearningProblem& problem) {
  Eigen::MatrixXd phi = problem.phi;
  for (std::size_t x = 0; x < problem.q.size(); ++x) {
    if (problem.q[x] == 0.0) phi.row(static_cast<Eigen::Index>(x)).setZero();
  }
  return phi;
}

bool is_hard_where_visited(const LearningProblem& problem) {
  for (std::size_t x = 0; x < problem.q.size(); ++x) {
    if (problem.q[x] == 0.0) continue;
    const auto row = problem.phi.row(static_cast<Eigen::Index>(x)).array();
    if ((row == 1.0).count() != 1 || (row == 0.0).count() != row.size() - 1) return false;
  }
  return true;
}

std::vector<Assumption> averager_assumptions(const LearnerCase& given) {
  const LearningProblem& problem = given.problem;
  const Eigen::MatrixXd phi = visited_rows(problem);
  std::vector<Assumption> all =
      theory::check_conditions(theory::ProvenAlgorithm::averager_td, problem.loss, problem.gamma,
                               {problem.chain, phi, given.state_base})
          .conditions.assumptions;
  if (is_hard_where_visited(problem)) {
    named(all, "features").reason =
        "every state that is visited lies in one cell, where TD and averager TD are the same";
  }
  // Visits exist only if paths from the start end up in the same states.
  Assumption& recurrence = named(all, "recurrent states");
  recurrence.holds = true;
  recurrence.reason = "all paths from the start end up in the same states";
  if (!(problem.gamma < 1.0)) {
    explain_no_discount(given, named(all, "discount"));
    return all;
  }
  const theory::AveragerOperator averager(problem.chain, problem.loss, problem.gamma, phi,
                                          problem.q);
  learn::AnyStep step = given.learner.options.step;
  if (step.is_scaled()) {
    Assumption& bounded = named(all, "bounded weights");
    bounded.holds = true;
    bounded.reason = "scaled steps move no weight beyond its target";
    return all;
  }
  named(all, "bounded weights") = theory::bounded_weights(
      theory::averager_box(averager, Eigen::VectorXd::Constant(phi.cols(), given.learner.initial)),
      problem.loss.slope_bounds(), {.first = step(0), .vanish = step.assumption().holds});
  return all;
}

/// Steps must also suit the features: larger ones make values leave the range of numbers before
/// they are small enough.
void limit_first_step(const LearnerCase& given, Assumption& steps) {
  learn::AnyStep step = given.learner.options.step;
  if (step.is_scaled() || !steps.holds) return;
  const Assumption fits =
      theory::step_assumption(given.problem.loss, visited_rows(given.problem), step(0));
  steps.holds = fits.holds;
  steps.reason += "; " + fits.reason;
}

Assumption no_proof(std::string_view reason) {
  return {"proof", false, std::string(reason)};
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

LearnerLimit limit_of(const LearningProblem& problem, const learn::LearnerOptions& learner) {
  if (is_averager(learner.algorithm)) return averager_limit(problem);
  const bool has_ode =
      learner.algorithm == Algorithm::td || learner.algorithm == Algorithm::td_lambda;
  const bool has_traces = learner.algorithm == Algorithm::td_lambda && learner.lambda > 0.0;
  LearnerLimit limit = has_traces
                           ? LearnerLimit{.kind = "limit of traces", .status = "not-computed"}
                           : projected_limit(problem);
  if (!has_ode || problem.phi.cols() > most_traced_features ||
      problem.chain.states() > most_traced_states) {
    return limit;
  }
  const TraceLimit traced = limit_of_traces(problem, learner.lambda);
  limit.stability = std::string(shortfall::name_of(traced.status, limit_names));
  if (!has_traces) return limit;
  const bool is_found =
      traced.status == LimitStatus::stable || traced.status == LimitStatus::unstable;
  limit.status = is_found ? "converged" : "none";
  if (is_found) limit.values = problem.phi * traced.theta;
  return limit;
}

std::vector<Assumption> assumptions_of(const LearnerCase& given) {
  const learn::LearnerOptions& options = given.learner.options;
  const bool has_traces = options.algorithm == Algorithm::td_lambda && options.lambda > 0.0;
  const bool has_trace_proof = is_linear(given.problem.loss) && given.problem.restart == 0.0;
  if (options.algorithm == Algorithm::newton) {
    return {no_proof("there is none for Newton's method; if it converges, it ends where td does")};
  }
  if (options.algorithm == Algorithm::averager_newton) {
    return {no_proof(
        "there is none for Newton's method; if it converges, it ends where averager-td does")};
  }
  if (has_traces && !has_trace_proof) {
    return {no_proof("with traces there is one only for the mean, without restarts")};
  }
  const bool by_averager =
      options.algorithm == Algorithm::averager_td ||
      (!has_traces && given.problem.gamma < 1.0 && is_hard_where_visited(given.problem));
  std::vector<Assumption> all =
      by_averager ? averager_assumptions(given) : projected_assumptions(given);
  all.push_back(options.step.assumption());
  if (!by_averager) limit_first_step(given, all.back());
  return all;
}

}  // namespace shortfall::studies

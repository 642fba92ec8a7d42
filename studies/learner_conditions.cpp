#include "studies/learner_conditions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "shortfall/theory/averager_steps.hpp"
#include "shortfall/theory/feature_conditions.hpp"
#include "shortfall/theory/projection.hpp"

namespace shortfall::studies {
namespace {

using learn::Algorithm;
using theory::Assumption;

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
  named(all, "bounded weights") = theory::bounded_weights(
      theory::averager_box(averager, Eigen::VectorXd::Constant(phi.cols(), given.learner.initial)),
      problem.loss.slope_bounds(), {.first = step(0), .vanish = step.assumption().holds});
  return all;
}

Assumption no_proof(std::string_view reason) {
  return {"proof", false, std::string(reason)};
}

}  // namespace

std::vector<Assumption> assumptions_of(const LearnerCase& given) {
  const learn::LearnerOptions& options = given.learner.options;
  const bool has_traces = options.algorithm == Algorithm::td_lambda && options.lambda > 0.0;
  const bool has_trace_proof = is_linear(given.problem.loss) && given.problem.restart == 0.0;
  if (options.algorithm == Algorithm::newton) {
    return {no_proof("there is none for Newton's method; compare with td")};
  }
  if (options.algorithm == Algorithm::averager_newton) {
    return {no_proof("there is none for Newton's method; compare with averager-td")};
  }
  if (has_traces && !has_trace_proof) {
    return {
        no_proof("with traces there is one only for the mean, without restarts; compare with "
                 "td")};
  }
  const bool by_averager =
      options.algorithm == Algorithm::averager_td ||
      (!has_traces && given.problem.gamma < 1.0 && is_hard_where_visited(given.problem));
  std::vector<Assumption> all =
      by_averager ? averager_assumptions(given) : projected_assumptions(given);
  all.push_back(options.step.assumption());
  return all;
}

}  // namespace shortfall::studies

#include "shortfall/dp/solve.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dp/iteration.hpp"
#include "dp/policy_evaluation.hpp"
#include "shortfall/dp/bellman.hpp"

namespace shortfall {
namespace {

using Rows = std::vector<std::size_t>;

/// The common loop of all methods: improving sweeps, each from the values that `choose_next`
/// leaves in the run, until the bound is small enough.
template <class ChooseNext>
Solution improve(const Mdp& model, const Criterion& criterion, const SolverOptions& options,
                 ChooseNext&& choose_next) {
  detail::check(criterion, options, model.states());
  const BellmanOperator bellman(model, criterion, options.threads);
  detail::Iteration run(bellman, options, "solving");
  Rows rows(model.states());
  while (!run.finished(bellman.apply(run.values, run.backed_up, rows))) {
    choose_next(bellman, run, rows);
  }
  Solution solution = std::move(run).solution();
  solution.policy = policy_of_rows(model, rows);
  return solution;
}

/// With values of policies that `next` computes.
Solution by_evaluation(const Mdp& model, const Criterion& criterion, const SolverOptions& options,
                       void (detail::PolicyEvaluation::*next)(detail::Iteration&,
                                                              std::span<const std::size_t>)) {
  std::optional<detail::PolicyEvaluation> evaluation;
  return improve(model, criterion, options,
                 [&](const BellmanOperator& bellman, detail::Iteration& run, const Rows& rows) {
                   if (!evaluation) {
                     evaluation.emplace(model.outcomes(), bellman, criterion);
                   }
                   ((*evaluation).*next)(run, rows);
                 });
}

}  // namespace

Solution value_iteration(const Mdp& model, const Criterion& criterion,
                         const SolverOptions& options) {
  return improve(model, criterion, options,
                 [](const BellmanOperator&, detail::Iteration& run, const Rows&) {
                   run.values.swap(run.backed_up);
                 });
}

Solution gauss_seidel(const Mdp& model, const Criterion& criterion, const SolverOptions& options) {
  return improve(model, criterion, options,
                 [](const BellmanOperator& bellman, detail::Iteration& run, const Rows&) {
                   // No shift here: an in-place sweep does not preserve a constant offset.
                   run.values.swap(run.backed_up);
                   bellman.apply_in_place(run.values);
                 });
}

Solution modified_policy_iteration(const Mdp& model, const Criterion& criterion,
                                   const SolverOptions& options) {
  return improve(model, criterion, options,
                 [&](const BellmanOperator& bellman, detail::Iteration& run, const Rows& rows) {
                   // Sweeps of the improved policy until they have gained what an improving sweep
                   // would check anyway: a tenth of the current width, or as many as balance the
                   // cost of the two kinds of sweeps.
                   const double enough = 0.1 * run.removable();
                   run.advance(run.bound());
                   for (int inner = 0; inner < 50 && !run.watch().is_stopped(); ++inner) {
                     run.watch().poll();
                     const SweepSummary sweep =
                         bellman.apply_policy(run.values, run.backed_up, rows);
                     const TwoSidedBound bound = two_sided_bound(sweep, criterion.gamma, 0.0);
                     run.advance(bound);
                     if (!(bound.error > enough)) break;
                   }
                 });
}

Solution policy_iteration(const Mdp& model, const Criterion& criterion,
                          const SolverOptions& options) {
  return by_evaluation(model, criterion, options, &detail::PolicyEvaluation::evaluate);
}

Solution solve(const Mdp& model, const Criterion& criterion, const SolverOptions& options) {
  return by_evaluation(model, criterion, options, &detail::PolicyEvaluation::step);
}

Solution solve(const Mdp& model, const Criterion& criterion, Method method,
               const SolverOptions& options) {
  switch (method) {
    case Method::value_iteration:
      return value_iteration(model, criterion, options);
    case Method::gauss_seidel:
      return gauss_seidel(model, criterion, options);
    case Method::modified_policy_iteration:
      return modified_policy_iteration(model, criterion, options);
    case Method::policy_iteration:
      return policy_iteration(model, criterion, options);
    case Method::adaptive:
      break;
  }
  return solve(model, criterion, options);
}

}  // namespace shortfall

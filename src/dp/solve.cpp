#include "shortfall/dp/solve.hpp"

#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dp/adaptive_steps.hpp"
#include "dp/iteration.hpp"
#include "dp/policy_evaluation.hpp"
#include "dp/policy_sweeps.hpp"
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
  std::optional<detail::TangentSolver> solver;
  std::optional<detail::PolicySweeps> sweeps;
  return improve(model, criterion, options,
                 [&](const BellmanOperator& bellman, detail::Iteration& run, const Rows& rows) {
                   if (!sweeps) {
                     solver.emplace(criterion.loss, criterion.gamma, bellman.has_terminal_states());
                     sweeps.emplace(model.outcomes(), bellman, *solver);
                   }
                   sweeps->sweep(run, rows);
                 });
}

Solution policy_iteration(const Mdp& model, const Criterion& criterion,
                          const SolverOptions& options) {
  std::optional<detail::TangentSolver> solver;
  std::optional<detail::PolicyEvaluation> evaluation;
  return improve(model, criterion, options,
                 [&](const BellmanOperator& bellman, detail::Iteration& run, const Rows& rows) {
                   if (!evaluation) {
                     solver.emplace(criterion.loss, criterion.gamma, bellman.has_terminal_states());
                     evaluation.emplace(model.outcomes(), bellman, criterion, *solver);
                   }
                   evaluation->evaluate(run, rows);
                 });
}

Solution solve(const Mdp& model, const Criterion& criterion, const SolverOptions& options) {
  std::optional<detail::AdaptiveSteps> steps;
  return improve(model, criterion, options,
                 [&](const BellmanOperator& bellman, detail::Iteration& run, const Rows& rows) {
                   if (!steps) steps.emplace(model, bellman, criterion);
                   steps->next(run, rows);
                 });
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

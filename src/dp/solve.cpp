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

namespace shortfall {
namespace detail {
namespace {

using Rows = std::vector<std::size_t>;

/// The common loop of all methods: improving sweeps, each from the values that `choose_next`
/// leaves in the run, until the bound is small enough.
template <class ChooseNext>
Solution improve(const Mdp& model, const Criterion& criterion, const SolverOptions& options,
                 const Execution& execution, ChooseNext&& choose_next) {
  check(criterion, options, model.states());
  const BellmanOperator bellman(model, criterion, execution);
  Iteration run(bellman, options, execution.monitor, "solving");
  Rows rows(model.states());
  while (!run.finished(bellman.apply(run.values, run.backed_up, rows))) {
    choose_next(bellman, run, rows);
  }
  Solution solution = std::move(run).solution();
  solution.policy = policy_of_rows(model, rows);
  return solution;
}

Solution iterate_values(const Mdp& model, const Criterion& criterion, const SolverOptions& options,
                        const Execution& execution) {
  return improve(
      model, criterion, options, execution,
      [](const BellmanOperator&, Iteration& run, const Rows&) { run.values.swap(run.backed_up); });
}

Solution sweep_in_place(const Mdp& model, const Criterion& criterion, const SolverOptions& options,
                        const Execution& execution) {
  return improve(model, criterion, options, execution,
                 [](const BellmanOperator& bellman, Iteration& run, const Rows&) {
                   // No shift here: an in-place sweep does not preserve a constant offset.
                   run.values.swap(run.backed_up);
                   bellman.apply_in_place(run.values);
                 });
}

Solution iterate_policies_by_sweeps(const Mdp& model, const Criterion& criterion,
                                    const SolverOptions& options, const Execution& execution) {
  std::optional<TangentSolver> solver;
  std::optional<PolicySweeps> sweeps;
  return improve(model, criterion, options, execution,
                 [&](const BellmanOperator& bellman, Iteration& run, const Rows& rows) {
                   if (!sweeps) {
                     solver.emplace(criterion.loss, bellman);
                     sweeps.emplace(model.outcomes(), bellman, *solver);
                   }
                   sweeps->sweep(run, rows);
                 });
}

Solution iterate_policies(const Mdp& model, const Criterion& criterion,
                          const SolverOptions& options, const Execution& execution) {
  std::optional<TangentSolver> solver;
  std::optional<PolicyEvaluation> evaluation;
  return improve(model, criterion, options, execution,
                 [&](const BellmanOperator& bellman, Iteration& run, const Rows& rows) {
                   if (!evaluation) {
                     solver.emplace(criterion.loss, bellman);
                     evaluation.emplace(model.outcomes(), bellman, criterion, *solver);
                   }
                   evaluation->evaluate(run, rows);
                 });
}

Solution take_adaptive_steps(const Mdp& model, const Criterion& criterion,
                             const SolverOptions& options, const Execution& execution) {
  std::optional<AdaptiveSteps> steps;
  return improve(model, criterion, options, execution,
                 [&](const BellmanOperator& bellman, Iteration& run, const Rows& rows) {
                   if (!steps) steps.emplace(model, bellman, criterion);
                   steps->next(run, rows);
                 });
}

}  // namespace
}  // namespace detail

Solution solve(const Mdp& model, const Criterion& criterion, const SolverOptions& options,
               const Execution& execution) {
  return solve(model, criterion, Method::adaptive, options, execution);
}

Solution value_iteration(const Mdp& model, const Criterion& criterion, const SolverOptions& options,
                         const Execution& execution) {
  return solve(model, criterion, Method::value_iteration, options, execution);
}

Solution gauss_seidel(const Mdp& model, const Criterion& criterion, const SolverOptions& options,
                      const Execution& execution) {
  return solve(model, criterion, Method::gauss_seidel, options, execution);
}

Solution modified_policy_iteration(const Mdp& model, const Criterion& criterion,
                                   const SolverOptions& options, const Execution& execution) {
  return solve(model, criterion, Method::modified_policy_iteration, options, execution);
}

Solution policy_iteration(const Mdp& model, const Criterion& criterion,
                          const SolverOptions& options, const Execution& execution) {
  return solve(model, criterion, Method::policy_iteration, options, execution);
}

Solution solve(const Mdp& model, const Criterion& criterion, Method method,
               const SolverOptions& options, const Execution& execution) {
  switch (method) {
    case Method::value_iteration:
      return detail::iterate_values(model, criterion, options, execution);
    case Method::gauss_seidel:
      return detail::sweep_in_place(model, criterion, options, execution);
    case Method::modified_policy_iteration:
      return detail::iterate_policies_by_sweeps(model, criterion, options, execution);
    case Method::policy_iteration:
      return detail::iterate_policies(model, criterion, options, execution);
    case Method::adaptive:
      break;
  }
  return detail::take_adaptive_steps(model, criterion, options, execution);
}

}  // namespace shortfall

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
#include "dp/solve_parts.hpp"

namespace shortfall {
namespace detail {
namespace {

using Rows = std::vector<std::size_t>;

/// The common loop of all methods: improving sweeps, each from the values that `choose_next`
/// leaves in the run, until the bound is small enough.
template <class ChooseNext>
Solution improve(const ModelPart& part, const Criterion& criterion, const SolverOptions& options,
                 ChooseNext&& choose_next) {
  check(criterion, options, part.rows.states());
  const BellmanOperator bellman(part, criterion, options.threads);
  Iteration run(bellman, options, "solving");
  Rows rows(part.rows.states());
  while (!run.finished(bellman.apply(run.values, run.backed_up, rows))) {
    choose_next(bellman, run, rows);
  }
  Solution solution = std::move(run).solution();
  solution.policy = policy_of_rows(part.rows, rows);
  return solution;
}

Solution iterate_values(const ModelPart& part, const Criterion& criterion,
                        const SolverOptions& options) {
  return improve(part, criterion, options, [](const BellmanOperator&, Iteration& run, const Rows&) {
    run.values.swap(run.backed_up);
  });
}

Solution sweep_in_place(const ModelPart& part, const Criterion& criterion,
                        const SolverOptions& options) {
  return improve(part, criterion, options,
                 [](const BellmanOperator& bellman, Iteration& run, const Rows&) {
                   // No shift here: an in-place sweep does not preserve a constant offset.
                   run.values.swap(run.backed_up);
                   bellman.apply_in_place(run.values);
                 });
}

Solution iterate_policies_by_sweeps(const ModelPart& part, const Criterion& criterion,
                                    const SolverOptions& options) {
  std::optional<TangentSolver> solver;
  std::optional<PolicySweeps> sweeps;
  return improve(part, criterion, options,
                 [&](const BellmanOperator& bellman, Iteration& run, const Rows& rows) {
                   if (!sweeps) {
                     solver.emplace(criterion.loss, bellman);
                     sweeps.emplace(part.rows.outcomes(), bellman, *solver);
                   }
                   sweeps->sweep(run, rows);
                 });
}

Solution iterate_policies(const ModelPart& part, const Criterion& criterion,
                          const SolverOptions& options) {
  std::optional<TangentSolver> solver;
  std::optional<PolicyEvaluation> evaluation;
  return improve(part, criterion, options,
                 [&](const BellmanOperator& bellman, Iteration& run, const Rows& rows) {
                   if (!evaluation) {
                     solver.emplace(criterion.loss, bellman);
                     evaluation.emplace(part.rows.outcomes(), bellman, criterion, *solver);
                   }
                   evaluation->evaluate(run, rows);
                 });
}

Solution take_adaptive_steps(const ModelPart& part, const Criterion& criterion,
                             const SolverOptions& options) {
  std::optional<AdaptiveSteps> steps;
  return improve(part, criterion, options,
                 [&](const BellmanOperator& bellman, Iteration& run, const Rows& rows) {
                   if (!steps) steps.emplace(part.rows, bellman, criterion);
                   steps->next(run, rows);
                 });
}

}  // namespace

Solution solve(const ModelPart& part, const Criterion& criterion, Method method,
               const SolverOptions& options) {
  switch (method) {
    case Method::value_iteration:
      return iterate_values(part, criterion, options);
    case Method::gauss_seidel:
      return sweep_in_place(part, criterion, options);
    case Method::modified_policy_iteration:
      return iterate_policies_by_sweeps(part, criterion, options);
    case Method::policy_iteration:
      return iterate_policies(part, criterion, options);
    case Method::adaptive:
      break;
  }
  return take_adaptive_steps(part, criterion, options);
}

}  // namespace detail

Solution solve(const Mdp& model, const Criterion& criterion, const SolverOptions& options) {
  return solve(model, criterion, Method::adaptive, options);
}

Solution value_iteration(const Mdp& model, const Criterion& criterion,
                         const SolverOptions& options) {
  return solve(model, criterion, Method::value_iteration, options);
}

Solution gauss_seidel(const Mdp& model, const Criterion& criterion, const SolverOptions& options) {
  return solve(model, criterion, Method::gauss_seidel, options);
}

Solution modified_policy_iteration(const Mdp& model, const Criterion& criterion,
                                   const SolverOptions& options) {
  return solve(model, criterion, Method::modified_policy_iteration, options);
}

Solution policy_iteration(const Mdp& model, const Criterion& criterion,
                          const SolverOptions& options) {
  return solve(model, criterion, Method::policy_iteration, options);
}

Solution solve(const Mdp& model, const Criterion& criterion, Method method,
               const SolverOptions& options) {
  return detail::solve(detail::ModelPart{model}, criterion, method, options);
}

}  // namespace shortfall

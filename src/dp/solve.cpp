#include "shortfall/dp/solve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "dp/adaptive_steps.hpp"
#include "dp/iteration.hpp"
#include "dp/policy_evaluation.hpp"
#include "errors/require.hpp"
#include "numbers/certain_digits.hpp"
#include "numbers/roundoff.hpp"
#include "shortfall/dp/bounds.hpp"
#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/solution.hpp"

namespace shortfall {

namespace detail {
namespace {

using Rows = std::vector<std::size_t>;

/// The common loop of all methods: improving sweeps, each from the values that `choose_next`
/// leaves in the run, until the bound is small enough.
template <class ChooseNext>
Solution improve(const Mdp& model, const Criterion& criterion, const SolverOptions& options,
                 const Execution& execution, ChooseNext&& choose_next) {
  const BellmanOperator bellman(model, criterion, execution);
  check(criterion, options, bellman);
  Iteration run(bellman, options, execution.monitor, "solving");
  Rows rows(model.states());
  while (!run.finished(bellman.apply(run.values, run.backed_up, rows))) {
    choose_next(bellman, run, rows);
  }
  Solution solution = std::move(run).solution();
  const bool has_bound = std::isfinite(solution.error_bound);
  if (solution.status != Status::stopped || has_bound) {
    solution.policy = policy_of_rows(model, rows);
  }
  return solution;
}

Solution iterate_values(const Mdp& model, const Criterion& criterion, const SolverOptions& options,
                        const Execution& execution) {
  return improve(model, criterion, options, execution,
                 [](const BellmanOperator&, Iteration& run, const Rows&) { run.sweep_on(); });
}

Solution sweep_in_place(const Mdp& model, const Criterion& criterion, const SolverOptions& options,
                        const Execution& execution) {
  require(!criterion.is_average(),
          "gauss-seidel has no form for long-run averages; accepted: another method");
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

TwoSidedBound two_sided_bound(const SweepSummary& sweep, double gamma, double rounding) {
  using detail::rounded_up;
  constexpr double unit = detail::unit_roundoff;
  constexpr double tiniest = 4.0 * std::numeric_limits<double>::denorm_min();
  if (gamma == 1.0) {
    const double lasting = rounded_up(rounding + 4.0 * unit * sweep.residual(), 8.0) + tiniest;
    return {-0.5 * (sweep.lowest_change + sweep.highest_change),
            rounded_up(sweep.half_width() + lasting, 8.0), lasting};
  }
  const double reach = gamma / (1.0 - gamma);  // exact up to the division if γ ≥ 1/2
  const double shift = reach * 0.5 * (sweep.lowest_change + sweep.highest_change);
  const double half_width = reach * 0.5 * (sweep.highest_change - sweep.lowest_change);
  const double value =
      std::max(std::abs(sweep.lowest_value), std::abs(sweep.highest_value)) + std::abs(shift);
  const double lasting = rounded_up(rounding / (1.0 - gamma) + 2.0 * unit * value, 8.0) + tiniest;
  const double of_changes = 8.0 * unit * reach * sweep.residual();
  return {shift, rounded_up(half_width + of_changes + lasting, 8.0), lasting};
}

std::string Solution::brief_report() const {
  return fmt::format("{}: {} states within {} after {} iteration{}", to_string(status),
                     values.size(), bound_text(error_bound), iterations,
                     iterations == 1 ? "" : "s");
}

Solution evaluate_by_sweeps(const Chain& chain, const Criterion& criterion,
                            const SolverOptions& options, const Execution& execution) {
  return evaluate(chain, criterion, Evaluator::sweeps, options, execution);
}

Solution evaluate_by_newton(const Chain& chain, const Criterion& criterion,
                            const SolverOptions& options, const Execution& execution) {
  return evaluate(chain, criterion, Evaluator::newton, options, execution);
}

Solution evaluate(const Chain& chain, const Criterion& criterion, Evaluator evaluator,
                  const SolverOptions& options, const Execution& execution) {
  const BellmanOperator bellman(chain, criterion, execution);
  detail::check(criterion, options, bellman);
  detail::Iteration run(bellman, options, execution.monitor, "evaluating");
  if (evaluator == Evaluator::sweeps) {
    while (!run.finished(bellman.apply(run.values, run.backed_up))) run.sweep_on();
  } else {
    std::vector<std::size_t> rows(chain.states());
    for (std::size_t x = 0; x < rows.size(); ++x) rows[x] = chain.is_terminal(x) ? no_row : x;
    detail::TangentSolver solver(criterion.loss, bellman);
    detail::newton(run, bellman, {chain.outcomes(), rows}, criterion.loss, solver,
                   detail::End::with_digits_to_spare);
  }
  return std::move(run).solution();
}

}  // namespace shortfall

#include "shortfall/dp/evaluate.hpp"

#include <utility>
#include <vector>

#include "dp/iteration.hpp"
#include "dp/newton.hpp"

namespace shortfall {

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
  detail::check(criterion, options, chain.states());
  const BellmanOperator bellman(chain, criterion, execution);
  detail::Iteration run(bellman, options, execution.monitor, "evaluating");
  if (evaluator == Evaluator::sweeps) {
    while (!run.finished(bellman.apply(run.values, run.backed_up))) run.values.swap(run.backed_up);
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

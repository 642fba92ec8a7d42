#include "shortfall/dp/evaluate.hpp"

#include <utility>
#include <vector>

#include "dp/iteration.hpp"
#include "dp/newton.hpp"
#include "dp/solve_parts.hpp"

namespace shortfall {

Solution detail::evaluate(const ChainPart& part, const Criterion& criterion, Evaluator evaluator,
                          const SolverOptions& options) {
  const Chain& chain = part.rows;
  check(criterion, options, chain.states());
  const BellmanOperator bellman(part, criterion, options.threads);
  Iteration run(bellman, options, "evaluating");
  if (evaluator == Evaluator::sweeps) {
    while (!run.finished(bellman.apply(run.values, run.backed_up))) run.values.swap(run.backed_up);
  } else {
    std::vector<std::size_t> rows(chain.states());
    for (std::size_t x = 0; x < rows.size(); ++x) rows[x] = chain.is_terminal(x) ? no_row : x;
    TangentSolver solver(criterion.loss, bellman);
    newton(run, bellman, {chain.outcomes(), rows}, criterion.loss, solver,
           End::with_digits_to_spare);
  }
  return std::move(run).solution();
}

Solution evaluate_by_sweeps(const Chain& chain, const Criterion& criterion,
                            const SolverOptions& options) {
  return evaluate(chain, criterion, Evaluator::sweeps, options);
}

Solution evaluate_by_newton(const Chain& chain, const Criterion& criterion,
                            const SolverOptions& options) {
  return evaluate(chain, criterion, Evaluator::newton, options);
}

Solution evaluate(const Chain& chain, const Criterion& criterion, Evaluator evaluator,
                  const SolverOptions& options) {
  return detail::evaluate(detail::ChainPart{chain}, criterion, evaluator, options);
}

}  // namespace shortfall

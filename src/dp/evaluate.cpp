#include "shortfall/dp/evaluate.hpp"

#include <utility>
#include <vector>

#include "dp/iteration.hpp"
#include "dp/newton.hpp"
#include "shortfall/dp/bellman.hpp"

namespace shortfall {

Solution evaluate_by_sweeps(const Chain& chain, const Criterion& criterion,
                            const SolverOptions& options) {
  detail::check(criterion, options, chain.states());
  const BellmanOperator bellman(chain, criterion, options.threads);
  detail::Iteration run(bellman, options, "evaluating");
  while (!run.finished(bellman.apply(run.values, run.backed_up))) run.values.swap(run.backed_up);
  return std::move(run).solution();
}

Solution evaluate_by_newton(const Chain& chain, const Criterion& criterion,
                            const SolverOptions& options) {
  detail::check(criterion, options, chain.states());
  const BellmanOperator bellman(chain, criterion, options.threads);
  std::vector<std::size_t> rows(chain.states());
  for (std::size_t x = 0; x < rows.size(); ++x) rows[x] = chain.is_terminal(x) ? no_row : x;
  detail::Iteration run(bellman, options, "evaluating");
  detail::TangentSolver solver(criterion.loss, criterion.gamma, bellman.has_terminal_states());
  detail::newton(run, bellman, {chain.outcomes(), rows}, criterion.loss, solver,
                 detail::End::with_digits_to_spare);
  return std::move(run).solution();
}

}  // namespace shortfall

#include "shortfall/dp/solve.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "dp/iteration.hpp"
#include "dp/newton.hpp"
#include "shortfall/dp/bellman.hpp"
#include "shortfall/risk/compensated_sum.hpp"

namespace shortfall {
namespace {

using Rows = std::vector<std::size_t>;

/// The common loop of all four methods: improving sweeps, each from the values that `choose_next`
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

/// The accuracy of evaluations in policy iteration. A policy need not be evaluated more accurately
/// than the next improvement requires, but evaluations that are too rough may make policies cycle.
/// So each time the bound has not decreased, the next evaluations are made a hundred times more
/// accurate. The bound may grow for many iterations while policies still improve. Only if their
/// values have also failed to decrease several times do policies differ by less than the accuracy
/// of their evaluation; the iteration then stops evaluating them.
class EvaluationAccuracy {
 public:
  /// The bound, and the values of the last evaluated policy; empty before the first.
  void update(double error, std::span<const double> values) {
    const double total = compensated_sum(values);
    const bool lower = total < least_total_ - negligible * std::abs(total);
    least_total_ = std::min(least_total_, total);
    if (error <= 0.9 * smallest_error_) {
      smallest_error_ = error;
      return;
    }
    relative_ = std::max(0.01 * relative_, tightest);
    failures_ = lower ? 0 : failures_ + 1;
  }
  /// An evaluation that failed, as Newton's may for losses that are neither convex nor concave.
  void note_failure() { ++failures_; }

  double relative_to_bound() const { return relative_; }
  bool is_exhausted() const { return failures_ > 8; }

 private:
  static constexpr double negligible = 1e-13;
  static constexpr double tightest = 1e-17;
  double smallest_error_ = std::numeric_limits<double>::infinity();
  double least_total_ = std::numeric_limits<double>::infinity();
  double relative_ = 0.1;
  int failures_ = 0;
};

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
  EvaluationAccuracy accuracy;
  bool evaluated = false;
  return improve(model, criterion, options,
                 [&](const BellmanOperator& bellman, detail::Iteration& run, const Rows& rows) {
                   if (evaluated) accuracy.update(run.removable(), run.values);
                   evaluated = false;
                   run.advance(run.bound());
                   if (accuracy.is_exhausted()) return;  // plain sweeps, which always contract
                   const SolverOptions inner_options{
                       .tolerance = accuracy.relative_to_bound() * run.removable(),
                       .max_iterations = 1000,
                       .start = run.values,
                       .monitor = run.watch().for_part()};
                   detail::Iteration inner(bellman, inner_options, {});
                   detail::newton(inner, bellman, {model.outcomes(), rows}, criterion.loss);
                   const bool usable = inner.removable() <= run.removable();
                   inner.advance(inner.bound());
                   evaluated = usable && std::all_of(inner.values.begin(), inner.values.end(),
                                                     [](double v) { return std::isfinite(v); });
                   if (evaluated) {
                     run.values = inner.values;
                   } else {
                     accuracy.note_failure();
                   }
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
      break;
  }
  return policy_iteration(model, criterion, options);
}

}  // namespace shortfall

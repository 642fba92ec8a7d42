#include "dp/policy_evaluation.hpp"

#include <algorithm>
#include <cmath>

#include "dp/newton.hpp"
#include "shortfall/risk/compensated_sum.hpp"

namespace shortfall::detail {
namespace {

constexpr double much_larger = 2.0;
constexpr int patience = 4;
constexpr int long_patience = 100;

bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

}  // namespace

void EvaluationAccuracy::update(double error, std::span<const double> values) {
  const double total = compensated_sum(values);
  const bool lower = total < last_total_ - negligible * std::abs(total);
  last_total_ = total;
  if (error <= 0.9 * smallest_error_) {
    smallest_error_ = error;
    return;
  }
  if (!lower) relative_ = std::max(0.01 * relative_, tightest);
  failures_ = lower ? 0 : failures_ + 1;
}

PolicyEvaluation::PolicyEvaluation(const Outcomes& outcomes, const BellmanOperator& bellman,
                                   const Criterion& criterion)
    : outcomes_(outcomes),
      bellman_(bellman),
      loss_(criterion.loss),
      solver_(criterion.loss, criterion.gamma, bellman.has_terminal_states()),
      always_converges_(is_concave(criterion.loss)) {}

void PolicyEvaluation::evaluate(Iteration& run, std::span<const std::size_t> rows) {
  if (evaluated_) accuracy_.update(run.removable(), run.values);
  run.advance(run.bound());
  if (accuracy_.is_exhausted() && ++rested_ >= rest_) {
    accuracy_ = EvaluationAccuracy();
    rested_ = 0;
    rest_ *= 2;
  }
  evaluated_ = !accuracy_.is_exhausted() && newton_evaluation(run, rows);
}

void PolicyEvaluation::step(Iteration& run, std::span<const std::size_t> rows) {
  const double error = run.removable();
  if (takes_steps_) {
    without_gain_ = error <= 0.9 * smallest_error_ ? 0 : without_gain_ + 1;
    takes_steps_ = without_gain_ < (always_converges_ ? long_patience : patience);
    if (!always_converges_ && !before_.empty() && error > much_larger * smallest_error_) {
      takes_steps_ = false;
      run.values = before_;
      return;
    }
    smallest_error_ = std::min(smallest_error_, error);
  }
  if (!takes_steps_) {
    evaluate(run, rows);
    return;
  }
  before_ = run.backed_up;
  if (!newton_step(run, rows)) run.advance(run.bound());
}

bool PolicyEvaluation::newton_step(Iteration& run, std::span<const std::size_t> rows) {
  bool finite = false;
  bellman_.run([&] {
    const auto size = static_cast<Eigen::Index>(run.values.size());
    TangentSolver::Goal goal = TangentSolver::Goal::of(run, End::with_digits_to_spare);
    goal.width *= std::pow(0.1, without_gain_ / 10);
    const Eigen::VectorXd& d =
        solver_.step({outcomes_, rows}, run.values, run.backed_up, goal, run.watch());
    finite = d.allFinite();
    if (finite) Eigen::VectorXd::Map(run.values.data(), size) += d;
  });
  return finite;
}

bool PolicyEvaluation::newton_evaluation(Iteration& run, std::span<const std::size_t> rows) {
  const SolverOptions options{.tolerance = accuracy_.relative_to_bound() * run.removable(),
                              .max_iterations = 1000,
                              .start = run.values,
                              .monitor = run.watch().for_part()};
  Iteration inner(bellman_, options, {});
  newton(inner, bellman_, {outcomes_, rows}, loss_, solver_, End::within_tolerance);
  const bool usable = inner.removable() <= run.removable();
  inner.advance(inner.bound());
  if (!usable || !all_finite(inner.values)) {
    accuracy_.note_failure();
    return false;
  }
  run.values.swap(inner.values);
  return true;
}

}  // namespace shortfall::detail

#include "dp/policy_evaluation.hpp"

#include <algorithm>
#include <cmath>

#include "dp/newton.hpp"
#include "parallel/partition.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/risk/compensated_sum.hpp"

namespace shortfall::detail {
namespace {

bool all_finite(std::span<const double> values) {
  return std::ranges::all_of(values, [](double v) { return std::isfinite(v); });
}

}  // namespace

void EvaluationAccuracy::update(double error, double total) {
  const bool lower = total < last_total_ - negligible * std::abs(total);
  last_total_ = total;
  if (error <= 0.9 * smallest_error_) {
    smallest_error_ = error;
    return;
  }
  if (!lower) relative_ = std::max(0.01 * relative_, tightest);
  failures_ = lower ? 0 : failures_ + 1;
}

void PolicyEvaluation::evaluate(Iteration& run, std::span<const std::size_t> rows) {
  note_last(run);
  if (accuracy_.is_exhausted()) {
    evaluated_ = false;
    run.advance(run.bound());
    if (++rested_ < rest_) return;
    accuracy_ = EvaluationAccuracy();
    rested_ = 0;
    rest_ *= 2;
    return;
  }
  replace_values(run, rows, infinity);
}

double PolicyEvaluation::attempt(Iteration& run, std::span<const std::size_t> rows,
                                 double most_cost) {
  note_last(run);
  if (accuracy_.is_exhausted()) accuracy_ = EvaluationAccuracy();
  return replace_values(run, rows, most_cost);
}

void PolicyEvaluation::note_last(const Iteration& run) {
  if (!evaluated_) return;
  constexpr std::size_t states_per_task = 16384;
  const auto total = bellman_.partition().reduce(
      states_per_task, CompensatedSum(),
      [&](std::size_t first, std::size_t last) {
        CompensatedSum sum;
        for (std::size_t x = first; x < last; ++x) sum.add(run.values[x]);
        return sum;
      },
      [](CompensatedSum& a, const CompensatedSum& b) { a.add(b.value()); });
  accuracy_.update(run.removable(), total.value());
}

double PolicyEvaluation::replace_values(Iteration& run, std::span<const std::size_t> rows,
                                        double most_cost) {
  run.advance(run.bound());
  const double cost_before = solver_.cost();
  const auto cost_of = [&](double sweeps) {
    return solver_.cost() - cost_before + solver_.sweep_cost() * sweeps;
  };
  const Monitor within_cost = [&, ask = run.watch().for_part()](const Progress& progress) {
    if (cost_of(static_cast<double>(progress.done)) > most_cost) return Request::stop;
    return ask ? ask(progress) : Request::proceed;
  };
  const SolverOptions options{.tolerance = accuracy_.relative_to_bound() * run.removable(),
                              .max_iterations = 1000,
                              .start = run.values};
  Iteration inner(bellman_, options, within_cost, {});
  newton(inner, bellman_, {outcomes_, rows}, loss_, solver_, End::within_tolerance);
  const bool usable = inner.removable() <= run.removable();
  inner.advance(inner.bound());
  evaluated_ = usable && bellman_.partition().communicator().all(all_finite(inner.values));
  if (evaluated_) {
    run.values.swap(inner.values);
  } else {
    accuracy_.note_failure();
  }
  return cost_of(inner.iterations());
}

}  // namespace shortfall::detail

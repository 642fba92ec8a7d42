#include "dp/policy_sweeps.hpp"

#include <Eigen/Core>
#include <algorithm>

#include "parallel/partition.hpp"
#include "shortfall/dp/bounds.hpp"

namespace shortfall::detail {
namespace {

/// Relative to the bound of the improving sweep.
constexpr double enough_gained = 0.1;
/// Packed sweeps cost less, compared with improving ones.
constexpr int most_packed = 100;
constexpr int most_with_losses = 50;

}  // namespace

PolicySweeps::PolicySweeps(const Outcomes& outcomes, const BellmanOperator& bellman,
                           TangentSolver& solver)
    : outcomes_(outcomes),
      bellman_(bellman),
      solver_(solver),
      rows_per_state_(static_cast<double>(
                          bellman.partition().communicator().sum(std::uint64_t{outcomes.rows()})) /
                      static_cast<double>(std::max<std::size_t>(bellman.partition().total(), 1))) {}

double PolicySweeps::sweep(Iteration& run, std::span<const std::size_t> rows) {
  return solver_.is_exact() ? sweep_packed(run, rows) : sweep_with_losses(run, rows);
}

double PolicySweeps::sweep_packed(Iteration& run, std::span<const std::size_t> rows) {
  const double cost_before = solver_.cost();
  bellman_.run([&] {
    const auto size = static_cast<Eigen::Index>(run.values.size());
    Eigen::VectorXd::Map(run.values.data(), size) +=
        solver_.sweeps({outcomes_, rows}, run.values, run.backed_up,
                       {.width = enough_gained, .most = most_packed}, run.watch());
  });
  return (solver_.cost() - cost_before) / (rows_per_state_ * solver_.sweep_cost());
}

double PolicySweeps::sweep_with_losses(Iteration& run, std::span<const std::size_t> rows) {
  const double enough = enough_gained * run.removable();
  run.advance(run.bound());
  int sweeps = 0;
  while (sweeps < most_with_losses && !run.watch().is_stopped()) {
    run.watch().poll();
    const SweepSummary sweep = bellman_.apply_policy(run.values, run.backed_up, rows);
    const TwoSidedBound bound = two_sided_bound(sweep, bellman_.gamma(), 0.0);
    run.advance(bound);
    ++sweeps;
    if (!(bound.error > enough)) break;
  }
  return sweeps / rows_per_state_;
}

}  // namespace shortfall::detail

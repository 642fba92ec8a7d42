#include "dp/adaptive_steps.hpp"

#include <Eigen/Core>

#include <algorithm>

#include "parallel/partition.hpp"
#include "shortfall/dp/bounds.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/numbers/portable_math.hpp"

namespace shortfall::detail {

namespace {

/// A bound this much larger means that a step led away.
constexpr double much_larger = 2.0;
/// This many steps without a gain show that steps bring nothing, unless they are sure to converge.
constexpr int max_idle_steps = 4;
constexpr int max_idle_convergent_steps = 100;
/// A bound below this fraction of the smallest is a gain.
constexpr double gain_needed = 0.9;
/// Steps may work again once the bound is at this fraction of what it was when they failed.
constexpr double much_closer = 0.1;

/// The largest debt: these parts of the sweeps so far, plus a constant, and of those to come.
constexpr double part_of_sweeps = 0.5;
constexpr double part_of_sweeps_left = 0.25;
constexpr double start_credit = 50.0;
constexpr double trusted_start_credit = 150.0;
/// Steps begin again once the debt is at this fraction of that.
constexpr double enough_credit = 0.5;

/// The logarithm by which a sweep is sure to reduce the bound; of an average, next to nothing.
double sure_rate(double gamma) {
  return std::max(-portable::log(gamma), 1e-9);
}

bool has_no_choice(const Mdp& model) {
  for (std::size_t x = 0; x < model.states(); ++x) {
    if (model.action_count(x) > 1) return false;
  }
  return true;
}

bool is_deterministic(const Mdp& model) {
  return model.outcomes().size() == model.outcomes().rows();
}

bool do_steps_converge(const Mdp& rows, const BellmanOperator& bellman, const AnyLoss& loss) {
  // Of an average, a policy on the way may have no solution, where it has two closed classes.
  if (bellman.gamma() == 1.0) return false;
  Communicator& communicator = bellman.partition().communicator();
  const bool deterministic = communicator.all(is_deterministic(rows));
  const bool no_choice = communicator.all(has_no_choice(rows));
  return is_concave(loss) || deterministic || (is_convex(loss) && no_choice);
}

}  // namespace

AdaptiveSteps::AdaptiveSteps(const Mdp& rows, const BellmanOperator& bellman,
                             const Criterion& criterion)
    : outcomes_(rows.outcomes()),
      bellman_(bellman),
      solver_(criterion.loss, bellman),
      evaluation_(rows.outcomes(), bellman, criterion, solver_),
      sweeps_(rows.outcomes(), bellman, solver_),
      steps_converge_(do_steps_converge(rows, bellman, criterion.loss)),
      evaluations_converge_(steps_converge_ ||
                            (bellman.gamma() < 1.0 && is_convex(criterion.loss))) {}

void AdaptiveSteps::next(Iteration& run, std::span<const std::size_t> rows) {
  const double error = run.removable();
  if (last_ == Kind::sweep) {
    judge_sweep(error);
    if (debt_ > enough_credit * credit(run)) {
      sweep(run, rows);
    } else if (evaluations_converge_) {
      swept_values_ = run.backed_up;
      sweep_error_ = error;
      run.values.swap(stepped_values_);
      last_ = Kind::none;
    } else {
      smallest_error_ = error;
      attempt(run, rows);
    }
  } else {
    const bool led_away = judge_step(error);
    if (led_away) run.backed_up = best_;
    if (debt_ > credit(run)) {
      leave_steps(run);
    } else if (led_away) {
      run.values.swap(run.backed_up);
      last_ = Kind::none;
    } else {
      attempt(run, rows);
    }
  }
}

void AdaptiveSteps::sweep(Iteration& run, std::span<const std::size_t> rows) {
  cost_ = 1.0 + sweeps_.sweep(run, rows);
}

/// To sweeps where they ended, or where steps were closer.
void AdaptiveSteps::leave_steps(Iteration& run) {
  const double error = run.removable();
  if (error <= smallest_error_) best_ = run.backed_up;
  smallest_error_ = std::min(error, smallest_error_);
  if (evaluations_converge_) stepped_values_ = run.backed_up;
  if (smallest_error_ < sweep_error_) {
    run.values = best_;
    phase_cost_ = 0.0;
    marks_ = {Mark{0.0, smallest_error_}, Mark{0.0, smallest_error_}};
  } else {
    run.values.swap(swept_values_);
  }
  last_ = Kind::sweep;
  cost_ = 1.0;
}

void AdaptiveSteps::attempt(Iteration& run, std::span<const std::size_t> rows) {
  if (run.removable() <= smallest_error_) best_ = run.backed_up;
  smallest_error_ = std::min(run.removable(), smallest_error_);
  if (smallest_error_ > much_closer * gave_up_at_) {
    last_ = Kind::evaluation;
    const double most = std::max(credit(run) - debt_, start_credit) * improving_sweep();
    cost_ = evaluation_.attempt(run, rows, most) / improving_sweep();
  } else {
    last_ = Kind::step;
    const double cost_before = solver_.cost();
    step(run, rows);
    cost_ = (solver_.cost() - cost_before) / improving_sweep();
  }
}

/// The rate since the cost of this phase was between a half and a quarter of what it is now: what
/// sweeps gain at first says little.
void AdaptiveSteps::judge_sweep(double error) {
  swept_ += cost_;
  phase_cost_ += cost_;
  const double gain = portable::log(marks_.front().error / error);
  rate_ = std::max(gain / (phase_cost_ - marks_.front().cost), sure_rate(bellman_.gamma()));
  if (phase_cost_ >= 2.0 * marks_.back().cost) marks_ = {marks_.back(), {phase_cost_, error}};
}

/// True if it has to be taken back.
bool AdaptiveSteps::judge_step(double error) {
  if (last_ == Kind::none) return false;
  const double gain = std::max(portable::log(smallest_error_ / error), 0.0);
  debt_ = std::max(debt_ + cost_ - gain / rate(), 0.0);
  without_gain_ = error <= gain_needed * smallest_error_ ? 0 : without_gain_ + 1;
  const bool led_away =
      last_ == Kind::step && !steps_converge_ && error > much_larger * smallest_error_;
  if (led_away || without_gain_ >= (steps_converge_ ? max_idle_convergent_steps : max_idle_steps)) {
    gave_up_at_ = smallest_error_;
    without_gain_ = 0;
  }
  return led_away;
}

double AdaptiveSteps::rate() const {
  // Bounds of sweeps may stall or grow before they fall, so the rate seen may be too small. If
  // steps need not converge, sweeps are expected to do something within the time that they had so
  // far.
  const double least = evaluations_converge_ ? 0.0 : 1.0 / (start_credit + swept_);
  return std::max(
      {rate_ > 0.0 ? rate_ : solver_.slowest_rate(), least, sure_rate(bellman_.gamma())});
}

double AdaptiveSteps::credit(const Iteration& run) const {
  const double target = std::max(run.tolerance(), run.bound().rounding);
  const double sweeps_left = std::max(portable::log(run.removable() / target), 0.0) / rate();
  const double start = evaluations_converge_ ? trusted_start_credit : start_credit;
  const double earned =
      evaluations_converge_ && swept_ > start ? infinity : start + part_of_sweeps * swept_;
  return std::min(earned, part_of_sweeps_left * sweeps_left);
}

void AdaptiveSteps::step(Iteration& run, std::span<const std::size_t> rows) {
  bool usable = false;
  bellman_.run([&] {
    const auto size = static_cast<Eigen::Index>(run.values.size());
    TangentSolver::Goal goal = TangentSolver::Goal::of(run, End::with_digits_to_spare);
    // While policies change a lot, accuracy is of little use; if that goes on, it may be the
    // reason.
    if (without_gain_ > 0) goal.ample = 0.01 * portable::pow(0.1, without_gain_ / 32);
    const Eigen::VectorXd& d =
        solver_.step({outcomes_, rows}, run.values, run.backed_up, goal, run.watch());
    usable = bellman_.partition().communicator().all(d.allFinite());
    if (usable) Eigen::VectorXd::Map(run.values.data(), size) += d;
  });
  if (!usable) run.advance(run.bound());
}

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

#include "dp/tangent_solver.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "dp/policy_evaluation.hpp"
#include "parallel/threads.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/numbers/portable_math.hpp"

namespace shortfall::detail {
namespace {

/// Costs in products with W, from measured nanoseconds per state, for rows of k entries on average.
/// A sweep reads more per outcome than a product; losses other than the mean search for a root if
/// there is more than one outcome. An iteration of BiCGSTAB has two products, and as many vector
/// operations as one if rows are short.
double product_time(double k) {
  return 3.0 + k / 3.0;
}
double cost_of_sweep(double k, bool is_mean) {
  return is_mean ? 3.0 : 3.0 + 8.0 * std::max(1.0 - 1.0 / k, 0.0);
}
double cost_of_iteration(double k) {
  return std::min(3.0, 2.0 + 14.0 / (k + 2.0));
}
double cost_of_factors(double k, double entries) {
  return (1.0 + 0.6 * entries) / product_time(k);
}
double cost_of_factorisation(double k, double operations) {
  return (8.0 + 12.0 * operations) / product_time(k);
}
double operations_for(double k, double cost) {
  return cost * product_time(k) / 12.0;
}
/// What factors take is known only once there are some.
constexpr double expected_operations = 20.0;
constexpr double cost_of_single_successors = 10.0;

/// A sweep that reduces the width by this logarithm is worth an iteration of BiCGSTAB.
constexpr double fast_sweep = 0.7;
/// The number of iterations before BiCGSTAB begins to converge.
constexpr double start_up = 16.0;
/// The number of iterations before its progress can be judged.
constexpr double plain_trial = 120.0;
constexpr double preconditioned_trial = 100.0;

/// Sweeps of an average may not contract at all, as where a policy has two cycles. BiCGSTAB may
/// then cost what sweeps would that contract by this.
constexpr double least_average_rate = 0.03;

/// Rounding allows for no more.
constexpr double smallest_width = 1e-15;

/// In a system with at most this many entries, all digits cost next to nothing.
constexpr std::size_t tiny = 4096;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

/// Over all ranks.
Extremes merged(const Extremes& own, const Partition& partition) {
  const bool is_nan = std::isnan(own.low) || std::isnan(own.high);
  std::array<double, 3> largest{is_nan ? 0.0 : -own.low, is_nan ? 0.0 : own.high,
                                is_nan ? 1.0 : 0.0};
  partition.communicator().max(largest);
  if (largest[2] > 0.0) return {nan, nan};
  return {-largest[0], largest[1]};
}

}  // namespace

TangentSolver::TangentSolver(const AnyLoss& loss, const BellmanOperator& bellman)
    : tangent_(loss, bellman.gamma(), bellman.partition()),
      has_terminals_(bellman.has_terminal_states()),
      is_average_(bellman.gamma() == 1.0),
      krylov_(tangent_),
      is_mean_(std::holds_alternative<Mean>(loss.variant())) {}

Extremes TangentSolver::extremes_of_residual() const {
  if (r_.size() == 0) return merged({infinity, -infinity}, tangent_.partition());
  return merged({r_.minCoeff(), r_.maxCoeff()}, tangent_.partition());
}

/// Returns what it adds to d for it.
double TangentSolver::remove_constant() {
  extremes_ = extremes_of_residual();
  if (has_terminals_) return 0.0;
  const double middle = 0.5 * (extremes_.low + extremes_.high);
  r_.array() -= middle;
  if (is_average_) return 0.0;
  const double constant = middle / (1.0 - tangent_.gamma());
  d_.array() += constant;
  return constant;
}

/// d ← d + r, r ← γ W r. Of an average, a part of that: d ← d + κ r, r ← r - κ (r - W r).
void TangentSolver::sweep() {
  next_.resize(r_.size());
  const Tangent::Factor read = tangent_.factor(r_.data());
  const Extremes own = parallel_reduce(
      tangent_.states(), tangent_.states_per_task(), Extremes{infinity, -infinity},
      [&](std::size_t first, std::size_t last) {
        const auto begin = static_cast<Eigen::Index>(first);
        const auto count = static_cast<Eigen::Index>(last - first);
        tangent_.multiply(first, last, read, next_.data());
        auto next = next_.segment(begin, count);
        const auto r = r_.segment(begin, count);
        if (is_average_) {
          next = (1.0 - average_damping) * r + average_damping * next;
          d_.segment(begin, count) += average_damping * r;
        } else {
          next *= tangent_.gamma();
          d_.segment(begin, count) += r;
        }
        return Extremes{next.minCoeff(), next.maxCoeff()};
      },
      Extremes::merge);
  extremes_ = merged(own, tangent_.partition());
  r_.swap(next_);
  cost_ += 1.0;
}

/// True once the goal is reached, false once other ways promise more.
bool TangentSolver::sweep_while_fast(double width, Watch& watch) {
  const double start_up_cost = start_up * cost_of_iteration(length_);
  int slow = 0;
  while (extremes_.width() > width && !watch.is_stopped()) {
    watch.poll();
    const double before = extremes_.width();
    if (slow > 0) tangent_.pack();  // many sweeps follow
    sweep();
    if (!(extremes_.width() > width)) break;
    sweep_rate_ = portable::log(before / extremes_.width());
    slowest_rate_ = std::min(slowest_rate_, std::max(sweep_rate_, 0.0));
    slow = sweep_rate_ < fast_sweep ? slow + 1 : 0;
    if (slow >= 2 &&
        portable::log(extremes_.width() / (0.3 * width)) > start_up_cost * sweep_rate_) {
      return false;
    }
  }
  return true;
}

double TangentSolver::Progress::predicted(double width) const {
  if (!(least < start)) return infinity;
  return cost * portable::log(least / width) / portable::log(start / least);
}

/// False if it would cost more than this.
bool TangentSolver::factorise(double most_cost) {
  const auto states = static_cast<double>(tangent_.partition().total());
  const double most = states * operations_for(length_, most_cost);
  const bool complete =
      factors_.compute(tangent_, most < 1e15 ? static_cast<std::size_t>(most)
                                             : std::numeric_limits<std::size_t>::max());
  factors_cost_ = cost_of_factors(length_, static_cast<double>(factors_.entries()) / states);
  factorisation_cost_ =
      cost_of_factorisation(length_, static_cast<double>(factors_.operations()) / states);
  cost_ += *factorisation_cost_;
  return complete;
}

/// BiCGSTAB until the residual has this width or the allowance is spent. A residual that is wider
/// than before is not kept.
TangentSolver::Progress TangentSolver::attempt(Way way, Begin begin, double width, double allowance,
                                               Watch& watch) {
  const IncompleteLu* const factors = way == Way::preconditioned ? &factors_ : nullptr;
  Progress progress;
  if (begin == Begin::afresh) {
    krylov_.start(r_, factors);
    saved_d_ = d_;
    saved_r_ = r_;
    saved_ = extremes_;
  }
  const double cost = cost_of_iteration(length_) + (factors ? factors_cost_ : 0.0);
  progress.start = progress.least = saved_.width();
  while (extremes_.width() > width && progress.cost < allowance && !watch.is_stopped()) {
    watch.poll();
    const bool sound = krylov_.step(d_, r_, extremes_);
    progress.cost += cost;
    cost_ += cost;
    progress.least = std::min(progress.least, extremes_.width());
    if (!std::isfinite(extremes_.width())) break;
    if (!sound) krylov_.start(r_, factors);
  }
  return progress;
}

/// True if the width was reached.
bool TangentSolver::run_krylov(double width, double allowance, Watch& watch) {
  tangent_.pack();
  const auto is_done = [&] { return extremes_.width() <= width || watch.is_stopped(); };
  const auto keep_better = [&] {
    if (extremes_.width() < saved_.width()) return;
    d_ = saved_d_;
    r_ = saved_r_;
    extremes_ = saved_;
  };
  const double trial_cost =
      factorisation_cost_.value_or(cost_of_factorisation(length_, expected_operations)) +
      preconditioned_trial;
  if (!std::exchange(knows_fill_in_, true) && IncompleteLu::has_no_fill_in(tangent_)) {
    preferred_ = Way::preconditioned;
  }
  Progress plain;
  Progress preconditioned;
  const double plain_again = std::exchange(plain_again_, 0.0);
  if (plain_again > 0.0) {
    attempt(Way::plain, Begin::afresh, width, plain_again, watch);
    if (is_done()) {
      preferred_ = Way::plain;
      factors_help_ = false;
      return true;
    }
    keep_better();
  }
  if (preferred_ == Way::plain) {
    plain =
        attempt(Way::plain, Begin::afresh, width, factors_help_ ? plain_trial : allowance, watch);
    if (!is_done() && factors_help_ && plain.predicted(width) < trial_cost) {
      plain = attempt(Way::plain, Begin::where_it_ended, width, 2.0 * trial_cost, watch);
    }
    if (is_done()) return true;
    keep_better();
    if (!factors_help_) return false;
  }
  const double most_for_factors =
      plain.cost > 0.0 ? std::max(plain.predicted(width), preconditioned_trial) : infinity;
  const bool factorised = factorise(most_for_factors);
  if (factorised) {
    preconditioned =
        attempt(Way::preconditioned, Begin::afresh, width, preconditioned_trial, watch);
    preferred_ = Way::preconditioned;
    if (is_done()) return true;
  }
  if (factorised && !(plain.predicted(width) < preconditioned.predicted(width))) {
    const Progress rest =
        attempt(Way::preconditioned, Begin::where_it_ended, width, allowance, watch);
    const double cost = preconditioned.cost + rest.cost + *factorisation_cost_;
    if (plain.cost > 0.0 && plain.predicted(width) < 2.0 * cost) plain_again_ = cost;
  } else {
    preferred_ = Way::plain;
    factors_help_ = false;
    keep_better();
    attempt(Way::plain, Begin::afresh, width, allowance, watch);
  }
  if (is_done()) return true;
  keep_better();
  return false;
}

/// d from `solve`, which reduces the residual r in units of about its width: squares of elements
/// neither overflow nor underflow.
template <class Solve>
const Eigen::VectorXd& TangentSolver::scaled(const ChosenRows& chosen,
                                             std::span<const double> values,
                                             std::span<const double> backed_up,
                                             const Solve& solve) {
  if (is_mean_) {
    tangent_.refer_to(chosen);
  } else {
    tangent_.assign(chosen, values, backed_up);
  }
  length_ = static_cast<double>(tangent_.entries()) /
            static_cast<double>(std::max<std::size_t>(tangent_.partition().total(), 1));
  sweep_cost_ = cost_of_sweep(length_, is_mean_);
  const auto size = static_cast<Eigen::Index>(values.size());
  r_ = Eigen::VectorXd::Map(backed_up.data(), size) - Eigen::VectorXd::Map(values.data(), size);
  d_.setZero(size);
  const double constant = remove_constant();
  if (!(extremes_.width() > 0.0 && std::isfinite(extremes_.width()))) return d_;

  const double unit = std::ldexp(1.0, std::clamp(std::ilogb(extremes_.width()), -1000, 1000));
  r_ /= unit;
  d_.setZero();
  remove_constant();
  solve();
  remove_constant();
  d_ += r_;  // half a sweep: what it leaves, γ W r, need not be known
  d_ = (unit * d_).array() + constant;
  return d_;
}

const Eigen::VectorXd& TangentSolver::step(const ChosenRows& chosen, std::span<const double> values,
                                           std::span<const double> backed_up, const Goal& goal,
                                           Watch& watch) {
  return scaled(chosen, values, backed_up, [&] { solve(goal, watch); });
}

const Eigen::VectorXd& TangentSolver::sweeps(const ChosenRows& chosen,
                                             std::span<const double> values,
                                             std::span<const double> backed_up,
                                             const SweepGoal& goal, Watch& watch) {
  return scaled(chosen, values, backed_up, [&] {
    const double width = goal.width * extremes_.width();
    for (int done = 0; done < goal.most && extremes_.width() > width && !watch.is_stopped();) {
      watch.poll();
      if (done > 1) tangent_.pack();  // more are likely to follow
      sweep();
      ++done;
    }
  });
}

void TangentSolver::solve(const Goal& goal, Watch& watch) {
  if (tangent_.has_single_successors()) {
    tangent_.pack();
    solve_single_successors(tangent_, r_, next_);
    d_ += next_;
    cost_ += cost_of_single_successors;
    return;
  }
  const double start = extremes_.width();
  const bool is_tiny = tangent_.entries() <= tiny;
  const double least = std::max((is_tiny ? 1e-3 : 1.0) * goal.least, smallest_width);
  const double width = (is_tiny ? least : std::max(goal.width, least)) * start;
  const double cost_before = cost_;
  if (!sweep_while_fast(width, watch)) {
    const double narrower = std::min(width, std::max(goal.ample, least) * start);
    const double rate = std::max(sweep_rate_, is_average_ ? least_average_rate : 0.0);
    const double allowance =
        4.0 * std::max(100.0, portable::log(extremes_.width() / (least * start)) / rate);
    if (!run_krylov(narrower, allowance, watch)) {
      const double most = 2.0 * cost_ - cost_before;
      while (extremes_.width() > width && cost_ < most && !watch.is_stopped()) {
        watch.poll();
        sweep();
      }
    }
  }
}

}  // namespace shortfall::detail

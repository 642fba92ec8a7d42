#include "dp/tangent_solver.hpp"

#include <algorithm>
#include <cmath>

#include "parallel.hpp"
#include "shortfall/infinity.hpp"

namespace shortfall::detail {
namespace {

/// Costs in products with W. An iteration of BiCGSTAB has two, and as many vector operations as
/// one; an application of the factors takes longer than a product.
constexpr double iteration_cost = 3.0;
constexpr double preconditioned_cost = 8.0;
constexpr double factorisation_cost = 60.0;

/// A sweep that reduces the width by this logarithm is worth an iteration of BiCGSTAB.
constexpr double fast_sweep = 0.7;
/// BiCGSTAB takes so long to begin to converge.
constexpr double start_up_cost = 48.0;
/// And so long until its progress can be judged.
constexpr double plain_trial = 120.0;
constexpr double preconditioned_trial = 200.0;
/// Once it runs, more accuracy costs little more.
constexpr double krylov_width = 1e-3;

/// Rounding allows for no more.
constexpr double smallest_width = 1e-15;

/// In a system with so few entries, the last digits cost next to nothing.
constexpr std::size_t tiny = 4096;

}  // namespace

void TangentSolver::remove_constant() {
  extremes_ = {r_.minCoeff(), r_.maxCoeff()};
  if (has_terminals_) return;
  const double middle = 0.5 * (extremes_.low + extremes_.high);
  r_.array() -= middle;
  d_.array() += middle / (1.0 - tangent_.gamma());
}

/// d ← d + r, r ← γ W r.
void TangentSolver::sweep() {
  next_.resize(r_.size());
  extremes_ = parallel_reduce(
      tangent_.states(), tangent_.states_per_task(), Extremes{infinity, -infinity},
      [&](std::size_t first, std::size_t last) {
        const auto begin = static_cast<Eigen::Index>(first);
        const auto count = static_cast<Eigen::Index>(last - first);
        tangent_.multiply(first, last, r_.data(), next_.data());
        auto next = next_.segment(begin, count);
        next *= tangent_.gamma();
        d_.segment(begin, count) += r_.segment(begin, count);
        return Extremes{next.minCoeff(), next.maxCoeff()};
      },
      [](Extremes& a, const Extremes& b) {
        a = {std::min(a.low, b.low), std::max(a.high, b.high)};
      });
  r_.swap(next_);
  cost_ += 1.0;
}

/// True once the goal is reached, false once other ways promise more.
bool TangentSolver::sweep_while_fast(double width, Watch& watch) {
  int slow = 0;
  while (extremes_.width() > width && !watch.is_stopped()) {
    watch.poll();
    const double before = extremes_.width();
    sweep();
    if (!(extremes_.width() > width)) break;
    sweep_rate_ = std::log(before / extremes_.width());
    slow = sweep_rate_ < fast_sweep ? slow + 1 : 0;
    if (slow >= 2 && std::log(extremes_.width() / width) > start_up_cost * sweep_rate_)
      return false;
  }
  return true;
}

double TangentSolver::Progress::predicted(double width) const {
  if (!(least < start)) return infinity;
  return cost * std::log(least / width) / std::log(start / least);
}

/// BiCGSTAB until the residual has this width or the allowance is spent. A residual that is wider
/// than before is not kept.
TangentSolver::Progress TangentSolver::attempt(Way way, Begin begin, double width, double allowance,
                                               Watch& watch) {
  const IncompleteLu* const factors = way == Way::preconditioned ? &factors_ : nullptr;
  const double cost = factors ? preconditioned_cost : iteration_cost;
  Progress progress;
  if (begin == Begin::afresh) {
    if (factors) factors_.compute(tangent_);
    if (factors) cost_ += factorisation_cost;
    krylov_.start(r_, factors);
    saved_d_ = d_;
    saved_r_ = r_;
    saved_ = extremes_;
  }
  progress.start = progress.least = saved_.width();
  while (extremes_.width() > width && progress.cost < allowance && !watch.is_stopped()) {
    watch.poll();
    const bool sound = krylov_.step(d_, r_, extremes_);
    progress.cost += cost;
    progress.least = std::min(progress.least, extremes_.width());
    if (!std::isfinite(extremes_.width())) break;
    if (!sound) krylov_.start(r_, factors);
  }
  cost_ += progress.cost;
  return progress;
}

/// True if the width was reached.
bool TangentSolver::run_krylov(double width, Watch& watch) {
  const auto is_done = [&] { return extremes_.width() <= width || watch.is_stopped(); };
  const auto keep_better = [&] {
    if (extremes_.width() < saved_.width()) return;
    d_ = saved_d_;
    r_ = saved_r_;
    extremes_ = saved_;
  };
  const double factors_cost = factorisation_cost + preconditioned_trial;
  Progress plain;
  Progress preconditioned;
  if (preferred_ == Way::plain) {
    plain =
        attempt(Way::plain, Begin::afresh, width, factors_help_ ? plain_trial : allowance_, watch);
    if (!is_done() && factors_help_ && plain.predicted(width) < factors_cost) {
      plain = attempt(Way::plain, Begin::where_it_ended, width, 2.0 * factors_cost, watch);
    }
    if (is_done()) return true;
    keep_better();
    if (!factors_help_) return false;
  }
  preconditioned = attempt(Way::preconditioned, Begin::afresh, width, preconditioned_trial, watch);
  preferred_ = Way::preconditioned;
  if (is_done()) return true;
  if (!(plain.predicted(width) < preconditioned.predicted(width))) {
    attempt(Way::preconditioned, Begin::where_it_ended, width, allowance_, watch);
  } else {
    preferred_ = Way::plain;
    factors_help_ = false;
    keep_better();
    attempt(Way::plain, Begin::afresh, width, allowance_, watch);
  }
  if (is_done()) return true;
  keep_better();
  return false;
}

const Eigen::VectorXd& TangentSolver::step(const ChosenRows& chosen, std::span<const double> values,
                                           std::span<const double> backed_up, const Goal& goal,
                                           Watch& watch) {
  tangent_.assign(chosen, values, backed_up);
  const auto size = static_cast<Eigen::Index>(values.size());
  r_ = Eigen::VectorXd::Map(backed_up.data(), size) - Eigen::VectorXd::Map(values.data(), size);
  d_.setZero(size);
  cost_ = 0.0;
  remove_constant();
  if (!(extremes_.width() > 0.0 && std::isfinite(extremes_.width()))) return d_;

  // With a width of about one, squares of elements neither overflow nor underflow.
  const double constant = has_terminals_ ? 0.0 : d_[0];
  const double unit = std::ldexp(1.0, std::clamp(std::ilogb(extremes_.width()), -1000, 1000));
  r_ /= unit;
  d_.setZero();
  solve(goal, watch);
  d_ = (unit * d_).array() + constant;
  return d_;
}

void TangentSolver::solve(const Goal& goal, Watch& watch) {
  remove_constant();
  const double start = extremes_.width();
  const double least =
      std::max((tangent_.entries() > tiny ? 1.0 : 1e-3) * goal.least, smallest_width);
  const double width = (goal.width > goal.least ? std::max(goal.width, least) : least) * start;
  if (!sweep_while_fast(width, watch)) {
    const double narrower = std::max(std::min(goal.width, krylov_width), least) * start;
    if (!run_krylov(narrower, watch)) {
      allowance_ *= 0.25;
      while (extremes_.width() > width && !watch.is_stopped()) {
        watch.poll();
        sweep();
      }
    }
  }
  remove_constant();
}

}  // namespace shortfall::detail

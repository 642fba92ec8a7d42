#include "inventory/cycle.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "roundoff.hpp"

namespace shortfall::inventory {
namespace {

/// Orders whose risk was above the best by this fraction of the highest cost of a period are
/// unlikely to become best as values are improved.
constexpr double default_margin = 0.01;

/// In place of a lower bound.
constexpr float unknown = -std::numeric_limits<float>::infinity();
constexpr float unlikely = std::numeric_limits<float>::max();

}  // namespace

Cycle::Cycle(StockBellman& bellman, std::vector<double> values, Policy orders)
    : bellman_(bellman),
      stocks_(bellman.model().stocks().size()),
      values_(std::move(values)),
      swept_(values_),
      orders_(std::move(orders)),
      summaries_(bellman.model().days()),
      drop_(bellman.model().days(), 0.0),
      likely_margin_(default_margin * bellman.highest_cost()) {}

StockBellman::Sweep Cycle::sweep_of(std::size_t day, const RootGoal& goal) {
  const bool last = day + 1 == summaries_.size();
  const std::span<const double> next =
      last ? std::span(values_).first(stocks_)
           : std::span(swept_).subspan((day + 1) * stocks_, stocks_);
  return {day,
          next,
          std::span(values_).subspan(day * stocks_, stocks_),
          std::span(swept_).subspan(day * stocks_, stocks_),
          std::span(orders_).subspan(day * stocks_, stocks_),
          goal};
}

void Cycle::sweep_orders(const RootGoal& goal) {
  for (std::size_t day = summaries_.size(); day-- > 0;) {
    summaries_[day] = bellman_.apply_orders(sweep_of(day, goal));
    rows_ += summaries_[day].rows;
  }
}

/// Coarse roots are exact: one step would leave an error that does not vanish with the change.
void Cycle::correct(StockBellman::Sweep sweep) {
  correction_.resize(values_.size(), 0.0);
  coarsely_swept_.resize(stocks_);
  const std::span<const double> swept = sweep.backed_up;
  const auto correction = std::span(correction_).subspan(sweep.day * stocks_, stocks_);
  sweep.goal = exact_roots;
  sweep.deliveries = StockBellman::Deliveries::coarse;
  sweep.correction = correction;
  sweep.backed_up = coarsely_swept_;
  rows_ += bellman_.reapply_orders(sweep).rows;
  for (std::size_t x = 0; x < stocks_; ++x) correction[x] += swept[x] - coarsely_swept_[x];
}

void Cycle::sweep_orders_and_correct(const RootGoal& goal) {
  for (std::size_t day = summaries_.size(); day-- > 0;) {
    const StockBellman::Sweep sweep = sweep_of(day, goal);
    summaries_[day] = bellman_.apply_orders(sweep);
    rows_ += summaries_[day].rows;
    correct(sweep);
  }
}

void Cycle::sweep_coarsely(const RootGoal& goal) {
  for (std::size_t day = summaries_.size(); day-- > 0;) {
    StockBellman::Sweep sweep = sweep_of(day, goal);
    sweep.deliveries = StockBellman::Deliveries::coarse;
    if (!correction_.empty()) {
      sweep.correction = std::span(correction_).subspan(day * stocks_, stocks_);
    }
    summaries_[day] = bellman_.apply_orders(sweep);
    rows_ += summaries_[day].rows;
  }
}

double Cycle::coarse_saving() const {
  using Deliveries = StockBellman::Deliveries;
  std::uint64_t exact = 0;
  std::uint64_t coarse = 0;
  for (std::size_t x = 0; x < orders_.size(); ++x) {
    const auto z = static_cast<std::size_t>(orders_[x]);
    exact += bellman_.deliveries(x / stocks_, z, Deliveries::exact);
    coarse += bellman_.deliveries(x / stocks_, z, Deliveries::coarse);
  }
  return static_cast<double>(exact) / static_cast<double>(coarse);
}

/// Q decreases by at most γ times the decrease of the values.
void Cycle::update_drop(std::size_t day, std::span<const double> next_values) {
  double* const old_values = &bounds_next_values_[day * stocks_];
  double fall = 0.0;
  for (std::size_t x = 0; x < stocks_; ++x) {
    fall = std::max(fall, old_values[x] - next_values[x]);
    old_values[x] = next_values[x];
  }
  drop_[day] += bellman_.gamma() * fall;
}

void Cycle::improve(Choice choice, const RootGoal& goal) {
  improve_with(StockBellman::Deliveries::exact, choice, goal);
}

void Cycle::improve_coarsely() {
  improve_with(StockBellman::Deliveries::coarse, Choice::all, exact_roots);
}

void Cycle::improve_with(StockBellman::Deliveries deliveries, Choice choice, const RootGoal& goal) {
  const std::size_t orders = bellman_.orders_per_state();
  if (lower_bounds_.empty()) {
    lower_bounds_.assign(values_.size() * orders, unknown);
    unlikely_above_.resize(values_.size());
    bounds_next_values_.resize(values_.size());
  }
  if (choice == Choice::all) {
    std::replace(lower_bounds_.begin(), lower_bounds_.end(), unlikely, unknown);
  }
  for (std::size_t day = summaries_.size(); day-- > 0;) {
    StockBellman::Sweep sweep = sweep_of(day, goal);
    sweep.deliveries = deliveries;
    update_drop(day, sweep.next_values);
    if (no_bounds_) drop_[day] = 0.0;
    const auto bounds = std::span(lower_bounds_).subspan(day * stocks_ * orders, stocks_ * orders);
    const auto above = std::span(unlikely_above_).subspan(day * stocks_, stocks_);
    summaries_[day] = bellman_.improve(
        sweep, {bounds, orders, drop_[day], choice == Choice::all ? std::span<float>() : above,
                likely_margin_});
    rows_ += summaries_[day].rows;
    if (choice == Choice::all) {
      for (std::size_t x = 0; x < stocks_; ++x) {
        above[x] = static_cast<float>(sweep.backed_up[x] + drop_[day]);
      }
    }
    if (deliveries == StockBellman::Deliveries::exact && has_coarse_deliveries()) correct(sweep);
  }
  no_bounds_ = false;
}

void Cycle::keep_likely_orders(double margin) {
  const std::size_t orders = bellman_.orders_per_state();
  for (std::size_t x = 0; x < values_.size(); ++x) {
    const double most = unlikely_above_[x] + margin;
    for (float& bound : std::span(lower_bounds_).subspan(x * orders, orders)) {
      bound = bound > most ? unlikely : unknown;
    }
    unlikely_above_[x] = 0.5F * unlikely;
  }
  no_bounds_ = true;
}

CycleBound Cycle::bound() const {
  const std::size_t days = summaries_.size();
  const double gamma = bellman_.gamma();
  // 1 / (1 - γⁿ). γ - 1 is exact for γ ≥ 1/2; for smaller γ nothing cancels.
  const double to_first_day =
      -1.0 / std::expm1(static_cast<double>(days) * std::log1p(gamma - 1.0));
  const auto swept = std::minmax_element(swept_.begin(), swept_.end());
  const auto before = std::minmax_element(values_.begin(), values_.end());
  const double rounding = bellman_.rounding(std::min(*swept.first, *before.first),
                                            std::max(*swept.second, *before.second));

  const double l = summaries_[0].lowest_change;
  const double u = summaries_[0].highest_change;
  CycleBound bound{.shift = std::vector<double>(days),
                   .shift_before = to_first_day * 0.5 * (l + u),
                   .residual = std::max(std::abs(l), std::abs(u))};
  double root_error = 0.0;  // of swept values from an exact pass
  double rounding_error = 0.0;
  double largest_root_error = 0.0;
  double largest_rounding_error = 0.0;
  for (std::size_t day = days; day-- > 0;) {
    root_error = summaries_[day].root_error + gamma * root_error;
    rounding_error = rounding + gamma * rounding_error;
    largest_root_error = std::max(largest_root_error, root_error);
    largest_rounding_error = std::max(largest_rounding_error, rounding_error);
    bound.finite = bound.finite && summaries_[day].finite;
  }
  double reach = to_first_day;
  double largest_reach = 0.0;
  for (std::size_t day = days; day-- > 0;) {
    reach *= gamma;
    largest_reach = std::max(largest_reach, reach);
    bound.shift[day] = reach * 0.5 * (l + u);
  }
  // The changes of the first day are themselves off by the errors of that day.
  using shortfall::detail::unit_roundoff;
  bound.change = largest_reach * (0.5 * (u - l) + 16.0 * unit_roundoff * bound.residual);
  bound.rounding = largest_reach * rounding_error + largest_rounding_error;
  bound.roots = largest_reach * root_error + largest_root_error;
  bound.error = shortfall::detail::rounded_up(bound.change + bound.roots + bound.rounding, 16.0);
  bound.finite = bound.finite && std::isfinite(l) && std::isfinite(u);
  return bound;
}

void Cycle::advance(const CycleBound& bound) {
  values_.swap(swept_);
  const double most = bellman_.highest_value();
  for (std::size_t day = 0; day < bound.shift.size(); ++day) {
    for (std::size_t x = day * stocks_; x < (day + 1) * stocks_; ++x) {
      values_[x] = std::clamp(values_[x] + bound.shift[day], 0.0, most);
    }
  }
}

void Cycle::average_with_last(const CycleBound& bound) {
  const double most = bellman_.highest_value();
  for (std::size_t x = 0; x < stocks_; ++x) {
    values_[x] = std::clamp(0.5 * (values_[x] + swept_[x] + bound.shift_before), 0.0, most);
  }
}

}  // namespace shortfall::inventory

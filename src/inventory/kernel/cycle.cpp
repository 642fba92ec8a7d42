#include "inventory/kernel/cycle.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "numbers/roundoff.hpp"
#include "shortfall/numbers/portable_math.hpp"

namespace shortfall::inventory {
namespace {

/// Orders whose risk was above the best by this fraction of the highest cost of a period are
/// unlikely to become best as values are improved.
constexpr double default_margin = 0.01;

/// In place of a lower bound.
constexpr float unknown = -std::numeric_limits<float>::infinity();
constexpr float unlikely = std::numeric_limits<float>::max();

constexpr std::size_t elements_per_task = 1 << 15;

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
  correction_.resize(summaries_.size() * bellman_.own_stocks(), 0.0);
  coarsely_swept_.resize(stocks_);
  const std::span<const double> swept = sweep.backed_up;
  const std::span<double> correction = of_day(correction_, sweep.day);
  sweep.goal = exact_roots;
  sweep.deliveries = StockBellman::Deliveries::coarse;
  sweep.correction = correction;
  sweep.backed_up = coarsely_swept_;
  rows_ += bellman_.reapply_orders(sweep).rows;
  bellman_.run_loops([&] {
    bellman_.batches().for_each_own(
        [&](std::size_t x, std::size_t own) { correction[own] += swept[x] - coarsely_swept_[x]; });
  });
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
    if (!correction_.empty()) sweep.correction = of_day(correction_, day);
    summaries_[day] = bellman_.apply_orders(sweep);
    rows_ += summaries_[day].rows;
  }
}

double Cycle::coarse_saving() const {
  using Deliveries = StockBellman::Deliveries;
  std::array<std::uint64_t, 2> rows{};
  for (const StockRange& batch : bellman_.batches().own()) {
    for (std::size_t day = 0; day < summaries_.size(); ++day) {
      for (std::size_t x = batch.begin; x < batch.end; ++x) {
        const auto z = static_cast<std::size_t>(orders_[day * stocks_ + x]);
        rows[0] += bellman_.deliveries(day, z, Deliveries::exact);
        rows[1] += bellman_.deliveries(day, z, Deliveries::coarse);
      }
    }
  }
  bellman_.batches().communicator().sum(rows);
  return static_cast<double>(rows[0]) / static_cast<double>(rows[1]);
}

/// Q decreases by at most γ times the decrease of the values.
void Cycle::update_drop(std::size_t day, std::span<const double> next_values) {
  const std::span<double> old_values = of_day(bounds_next_values_, day);
  const std::span<const StockRange> batches = bellman_.batches().own();
  double fall = 0.0;
  bellman_.run_loops([&] {
    fall = shortfall::detail::parallel_reduce(
        batches.size(), 1, 0.0,
        [&](std::size_t b, std::size_t) {
          double of_batch = 0.0;
          std::size_t own = batches[b].first_own;
          for (std::size_t x = batches[b].begin; x < batches[b].end; ++x, ++own) {
            of_batch = std::max(of_batch, old_values[own] - next_values[x]);
            old_values[own] = next_values[x];
          }
          return of_batch;
        },
        [](double& a, double b) { a = std::max(a, b); });
  });
  drop_[day] += bellman_.gamma() * bellman_.batches().communicator().max(fall);
}

void Cycle::improve(Choice choice, const RootGoal& goal) {
  improve_with(StockBellman::Deliveries::exact, choice, goal);
}

void Cycle::improve_coarsely() {
  improve_with(StockBellman::Deliveries::coarse, Choice::all, exact_roots);
}

void Cycle::improve_with(StockBellman::Deliveries deliveries, Choice choice, const RootGoal& goal) {
  const std::size_t orders = bellman_.orders_per_state();
  const std::size_t own_states = summaries_.size() * bellman_.own_stocks();
  if (lower_bounds_.empty()) {
    lower_bounds_.assign(own_states * orders, unknown);
    unlikely_above_.resize(own_states);
    bounds_next_values_.resize(own_states);
  } else if (choice == Choice::all) {
    forget_unlikely();
  }
  for (std::size_t day = summaries_.size(); day-- > 0;) {
    StockBellman::Sweep sweep = sweep_of(day, goal);
    sweep.deliveries = deliveries;
    update_drop(day, sweep.next_values);
    if (no_bounds_) drop_[day] = 0.0;
    const std::span<float> above = of_day(unlikely_above_, day);
    summaries_[day] = bellman_.improve(
        sweep, {of_day(lower_bounds_, day), orders, drop_[day],
                choice == Choice::all ? std::span<float>() : above, likely_margin_});
    rows_ += summaries_[day].rows;
    if (choice == Choice::all) {
      bellman_.run_loops([&] {
        bellman_.batches().for_each_own([&](std::size_t x, std::size_t own) {
          above[own] = static_cast<float>(sweep.backed_up[x] + drop_[day]);
        });
      });
    }
    if (deliveries == StockBellman::Deliveries::exact && has_coarse_deliveries()) correct(sweep);
  }
  no_bounds_ = false;
}

void Cycle::forget_unlikely() {
  bellman_.run_loops([&] {
    shortfall::detail::parallel_for_blocks(
        lower_bounds_.size(), elements_per_task, [&](std::size_t first, std::size_t last) {
          std::replace(&lower_bounds_[first], &lower_bounds_[first] + (last - first), unlikely,
                       unknown);
        });
  });
}

void Cycle::keep_likely_orders(double margin) {
  const std::size_t orders = bellman_.orders_per_state();
  const auto keep = [&](std::size_t own) {
    const double most = unlikely_above_[own] + margin;
    for (float& bound : std::span(lower_bounds_).subspan(own * orders, orders)) {
      bound = bound > most ? unlikely : unknown;
    }
    unlikely_above_[own] = 0.5F * unlikely;
  };
  bellman_.run_loops([&] {
    shortfall::detail::parallel_for_blocks(unlikely_above_.size(), elements_per_task / orders + 1,
                                           [&](std::size_t first, std::size_t last) {
                                             for (std::size_t k = first; k < last; ++k) keep(k);
                                           });
  });
  no_bounds_ = true;
}

CycleBound Cycle::bound() const {
  const std::size_t days = summaries_.size();
  const double gamma = bellman_.gamma();
  // 1 / (1 - γⁿ). γ - 1 is exact for γ ≥ 1/2; for smaller γ nothing cancels.
  const double to_first_day =
      -1.0 / portable::expm1(static_cast<double>(days) * portable::log1p(gamma - 1.0));
  const ValueRange swept = bellman_.range_of(swept_);
  ValueRange range = swept;
  range.include(bellman_.range_of(values_));
  const double rounding = bellman_.rounding(range.lowest, range.highest);

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
  bound.largest_value =
      std::max(std::abs(swept.lowest + bound.shift[0]), std::abs(swept.highest + bound.shift[0]));
  // The changes of the first day are themselves off by the errors of that day.
  using shortfall::detail::unit_roundoff;
  bound.change = largest_reach * (0.5 * (u - l) + 16.0 * unit_roundoff * bound.residual);
  bound.rounding = largest_reach * rounding_error + largest_rounding_error;
  bound.roots = largest_reach * root_error + largest_root_error;
  bound.error = shortfall::detail::rounded_up(bound.change + bound.roots + bound.rounding, 16.0);
  bound.finite = bound.finite && std::isfinite(l) && std::isfinite(u);
  return bound;
}

/// On all ranks: to compute values again takes less time than to send them.
template <class Update>
void Cycle::update_values(std::size_t day, const Update& value_of) {
  bellman_.run_loops([&] {
    shortfall::detail::parallel_for_blocks(
        stocks_, elements_per_task, [&](std::size_t first, std::size_t last) {
          for (std::size_t x = day * stocks_ + first; x < day * stocks_ + last; ++x) {
            values_[x] = value_of(x);
          }
        });
  });
}

void Cycle::advance(const CycleBound& bound) {
  values_.swap(swept_);
  const double most = bellman_.highest_value();
  for (std::size_t day = 0; day < bound.shift.size(); ++day) {
    update_values(
        day, [&](std::size_t x) { return std::clamp(values_[x] + bound.shift[day], 0.0, most); });
  }
}

void Cycle::average_with_last(const CycleBound& bound) {
  const double most = bellman_.highest_value();
  update_values(0, [&](std::size_t x) {
    return std::clamp(0.5 * (values_[x] + swept_[x] + bound.shift_before), 0.0, most);
  });
}

}  // namespace shortfall::inventory

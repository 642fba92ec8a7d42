#include "shortfall/inventory/simulate/simulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <mutex>

#include "errors/require.hpp"
#include "inventory/simulate/simulator.hpp"
#include "parallel/threads.hpp"
#include "parallel/watch.hpp"
#include "shortfall/memory/memory.hpp"

namespace shortfall::inventory {
namespace {

void check(const SimulationOptions& options) {
  const auto check_count = [](const char* name, std::size_t value, std::size_t most) {
    require(value >= 1 && value <= most, "{} = {}; accepted: 1 to {}", name, value, most);
  };
  check_count("periods", options.periods, max_periods);
  check_count("replications", options.replications, max_replications);
  require(options.last <= options.periods, "last = {}; accepted: 0 to the number of periods, {}",
          options.last, options.periods);
  // The costs, a copy of them for quantiles, and those of another policy for comparison.
  const double lists = options.last > 0 ? 6.0 : 3.0;
  shortfall::check_memory(lists * sizeof(double) * static_cast<double>(options.replications),
                          fmt::format("a simulation with {} replications", options.replications),
                          "fewer replications");
  require(options.gamma > 0.0 && options.gamma <= 1.0,
          "gamma = {}; accepted: a number above 0, at most 1", options.gamma);
}

template <std::size_t Ages>
detail::Totals run(const Model& model, const Policy& orders, const SimulationOptions& options,
                   const Execution& execution, SimulationResult& result) {
  const detail::Simulator<Ages> simulator(model, orders, options);
  detail::Totals totals;
  std::mutex adding;
  shortfall::detail::Watch watch(execution.monitor,
                                 {.activity = "simulating", .total = options.replications});
  const std::size_t periods_per_task = std::size_t{1} << 18;
  const std::size_t replications_per_task = periods_per_task / options.periods + 1;
  const auto run_block = [&](std::size_t first, std::size_t last) {
    if (watch.is_stopped()) return;
    detail::Totals of_block;
    for (std::size_t r = first; r < last; ++r) {
      const detail::ReplicationCost cost = simulator.replicate(r, of_block);
      result.discounted_cost[r] = cost.discounted;
      if (options.last == 0) continue;
      result.total_cost[r] = cost.total;
      result.last_cost[r] = cost.last;
    }
    {
      const std::lock_guard lock(adding);
      totals.add(of_block);
    }
    watch.add_steps(last - first);
  };
  shortfall::detail::Workers(execution.threads).run([&] {
    shortfall::detail::parallel_for_blocks(options.replications, replications_per_task, run_block);
  });
  watch.poll();
  if (watch.is_stopped()) {
    for (auto* costs : {&result.discounted_cost, &result.total_cost, &result.last_cost}) {
      std::erase_if(*costs, [](double cost) { return std::isnan(cost); });
    }
  }
  return totals;
}

/// Days with the same costs are counted together.
template <class Rate>
void set_costs(const Model& model, const detail::Totals& totals, const Rate& rate,
               SimulationResult& result) {
  const std::size_t sets = model.parts().cost.size();
  for (std::size_t set = 0; set < sets; ++set) {
    const Costs& cost = model.cost(set);
    detail::CostCounts counts = totals.by_day[set];
    for (std::size_t day = 1; sets == 1 && day < model.days(); ++day) {
      counts.add(totals.by_day[day]);
    }
    result.order_cost_per_period += cost.order * rate(counts.orders);
    result.unit_cost_per_period += cost.unit * rate(counts.arrived);
    result.holding_cost_per_period += cost.holding * rate(counts.left);
    result.shortage_cost_per_period += cost.shortage * rate(counts.lost);
    result.wastage_cost_per_period += cost.wastage * rate(counts.expired);
  }
  result.cost_per_period = result.order_cost_per_period + result.unit_cost_per_period +
                           result.holding_cost_per_period + result.shortage_cost_per_period +
                           result.wastage_cost_per_period;
}

void set_rates(const Model& model, const detail::Totals& totals, double periods,
               SimulationResult& result) {
  const auto rate = [&](std::uint64_t count) { return static_cast<double>(count) / periods; };
  const auto ratio = [](std::uint64_t part, std::uint64_t whole, double if_none) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : if_none;
  };
  detail::CostCounts counts;
  for (const detail::CostCounts& of_day : totals.by_day) counts.add(of_day);
  set_costs(model, totals, rate, result);
  result.service_level = ratio(totals.demand - counts.lost, totals.demand, 1.0);
  result.periods_short = rate(totals.periods_short);
  result.shortage_rate = rate(counts.lost);
  result.wastage_rate = rate(counts.expired);
  result.wasted_fraction = ratio(counts.expired, counts.arrived, 0.0);
  result.order_frequency = rate(counts.orders);
  result.mean_order = ratio(counts.arrived, counts.orders, 0.0);
  result.mean_stock = rate(totals.stock);
  std::uint64_t younger = 0;
  for (std::size_t i = 0; i < model.shelf_life(); ++i) {
    const std::uint64_t up_to = i + 1 < model.shelf_life() ? totals.stock_up_to[i] : totals.stock;
    result.stock_by_age.push_back(rate(up_to - younger));
    younger = up_to;
  }
}

/// Relative to the first cost, so that equal costs have no error at all.
void set_mean(SimulationResult& result) {
  const std::vector<double>& cost = result.discounted_cost;
  const auto count = static_cast<double>(cost.size());
  const double first = cost.empty() ? 0.0 : cost.front();
  double sum = 0.0;
  for (const double c : cost) sum += c - first;
  result.mean = first + sum / count;
  double squares = 0.0;
  for (const double c : cost) squares += (c - result.mean) * (c - result.mean);
  result.standard_error = cost.size() > 1 ? std::sqrt(squares / (count - 1.0) / count)
                                          : std::numeric_limits<double>::infinity();
}

}  // namespace

double quantile_of(std::vector<double> numbers, double q) {
  require(q >= 0.0 && q <= 1.0, "quantile of level {}; accepted: 0 to 1", q);
  require(!numbers.empty(), "a quantile of no replications; accepted: at least one");
  // 0.07 · 100 is slightly above 7 in double arithmetic, but the 7th is meant.
  constexpr double below_rounding = 1.0 - 4.0 * std::numeric_limits<double>::epsilon();
  const double rank = std::ceil(q * static_cast<double>(numbers.size()) * below_rounding);
  const auto at = numbers.begin() + static_cast<std::ptrdiff_t>(std::max(rank, 1.0)) - 1;
  std::nth_element(numbers.begin(), at, numbers.end());
  return *at;
}

double SimulationResult::quantile(double q) const {
  return quantile_of(discounted_cost, q);
}

SimulationResult simulate(const Model& model, const Policy& orders,
                          const SimulationOptions& options, const Execution& execution) {
  check(options);
  model.check_orders(orders);
  SimulationResult result;
  constexpr double unfinished = std::numeric_limits<double>::quiet_NaN();
  result.discounted_cost.assign(options.replications, unfinished);
  if (options.last > 0) {
    result.total_cost = result.discounted_cost;
    result.last_cost = result.discounted_cost;
  }
  const detail::Totals totals = detail::with_ages(model.shelf_life(), [&]<std::size_t Ages>() {
    return run<Ages>(model, orders, options, execution, result);
  });
  const double periods =
      static_cast<double>(options.periods) * static_cast<double>(result.discounted_cost.size());
  set_rates(model, totals, periods, result);
  set_mean(result);
  return result;
}

}  // namespace shortfall::inventory

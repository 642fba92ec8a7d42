#pragma once

#include <atomic>
#include <utility>
#include <vector>

#include "inventory/kernel/memory.hpp"
#include "inventory/model/cumulative_stock.hpp"
#include "inventory/train/order_table.hpp"
#include "parallel/threads.hpp"
#include "parallel/watch.hpp"
#include "shortfall/learn/greedy.hpp"

namespace shortfall::inventory::detail {

/// Policy improvement from approximate values: from θ to orders for every state.
template <std::size_t Ages>
class OrderImprovement {
 public:
  using State = SampledStock<Ages>;
  using Watch = shortfall::detail::Watch;

  OrderImprovement(const StockSampler<Ages>& sampler, const SampledStockFeatures<Ages>& features,
                   const Criterion& criterion, const TrainingOptions& options,
                   const Execution& execution)
      : sampler_(sampler),
        features_(features),
        criterion_(criterion),
        options_(options),
        execution_(execution) {}

  /// No orders if stopped.
  OrderTable<Ages> operator()(const std::vector<double>& theta, int iteration) const {
    shortfall::detail::Workers workers(execution_.threads);
    std::vector<double> values(sampler_.model().states());
    Watch watch(execution_.monitor, {.activity = "improving"});
    workers.run([&] { tabulate(theta, values, watch); });
    if (options_.scenarios > 0) {
      Policy orders(values.size());
      const std::uint64_t seed = derive_seed(options_.seed, static_cast<std::uint64_t>(iteration));
      if (options_.evaluation.draws == ImprovementDraws::stratified) {
        const learn::Scenarios scenarios(options_.scenarios, seed);
        workers.run([&] { choose_by_scenarios(values, scenarios, orders, watch); });
      } else {
        workers.run([&] { choose_by_own_draws(values, seed, orders, watch); });
      }
      if (watch.is_stopped()) orders.clear();
      return {&sampler_, std::move(orders)};
    }
    StockBellman bellman(sampler_.model(), criterion_, execution_.threads, watch);
    return {&sampler_, greedy_orders(bellman, values)};
  }

 private:
  /// Calls visitor(state index, stock) for all states, in parallel, with one visitor per range.
  template <class MakeVisitor>
  void for_each_state(Watch& watch, const MakeVisitor& make_visitor) const {
    const StockIndex& stocks = sampler_.model().stocks();
    const auto states = static_cast<double>(sampler_.model().states());
    std::atomic<std::size_t> done = 0;
    const auto run = [&](std::size_t first, std::size_t last) {
      if (watch.is_stopped()) return;
      auto visitor = make_visitor();
      State x;
      CumulativeStock stock(stocks, first % stocks.size());
      for (std::size_t s = first; s < last; ++s) {
        if (s % stocks.size() == 0) stock = CumulativeStock(stocks, 0);
        x.day = static_cast<std::uint32_t>(s / stocks.size());
        x.up_to.fill(static_cast<std::int32_t>(stock.total()));
        for (std::size_t i = 0; i < stocks.length(); ++i) {
          x.up_to[i] = static_cast<std::int32_t>(stock[i + 1]);
        }
        visitor(s, x);
        if (s + 1 < last && (s + 1) % stocks.size() != 0) stock.advance();
      }
      watch.set_fraction(static_cast<double>(done += last - first) / states);
    };
    constexpr std::size_t states_per_task = 1024;
    shortfall::detail::parallel_for_blocks(sampler_.model().states(), states_per_task, run);
  }

  /// φᵀθ by state.
  void tabulate(const std::vector<double>& theta, std::vector<double>& values, Watch& watch) const {
    for_each_state(watch, [&] {
      return [&, value = learn::LinearValue(features_, theta)](std::size_t s, const State& x) {
        values[s] = value(x);
      };
    });
  }

  void choose_by_scenarios(const std::vector<double>& values, const learn::Scenarios& scenarios,
                           Policy& orders, Watch& watch) const {
    const auto value = [&](const State& x) { return values[sampler_.index(x)]; };
    for_each_state(watch, [&] {
      return [&, memory = learn::SampledRisk(criterion_.loss, scenarios.size())](
                 std::size_t s, const State& x) mutable {
        orders[s] = learn::greedy_action(sampler_, value, criterion_.gamma, x, scenarios, memory);
      };
    });
  }

  /// With new transitions for each state, or for each order in it.
  void choose_by_own_draws(const std::vector<double>& values, std::uint64_t seed, Policy& orders,
                           Watch& watch) const {
    const auto value = [&](const State& x) { return values[sampler_.index(x)]; };
    const bool is_per_order = options_.evaluation.draws == ImprovementDraws::per_order;
    for_each_state(watch, [&] {
      return [&, memory = learn::SampledRisk(criterion_.loss, options_.scenarios)](
                 std::size_t s, const State& x) mutable {
        const std::uint64_t own = derive_seed(seed, s);
        const auto draws = [&](ActionIndex z, std::size_t k) {
          const std::uint64_t order = is_per_order ? static_cast<std::uint64_t>(z) : 0;
          return learn::Scenarios::Bits(derive_seed(own, order * options_.scenarios + k));
        };
        orders[s] = learn::greedy_by_draws(sampler_, value, criterion_.gamma, x, draws, memory);
      };
    });
  }

  const StockSampler<Ages>& sampler_;
  const SampledStockFeatures<Ages>& features_;
  const Criterion& criterion_;
  const TrainingOptions& options_;
  const Execution& execution_;
};

}  // namespace shortfall::inventory::detail

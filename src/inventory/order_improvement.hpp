#pragma once

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "inventory/cumulative_stock.hpp"
#include "inventory/greedy_orders.hpp"
#include "inventory/order_table.hpp"
#include "shortfall/learn/greedy.hpp"
#include "worker_threads.hpp"

namespace shortfall::inventory::detail {

/// Policy improvement from approximate values: from θ to orders for every state.
template <std::size_t Ages>
class OrderImprovement {
 public:
  using State = SampledStock<Ages>;

  OrderImprovement(const StockSampler<Ages>& sampler, const SampledStockFeatures<Ages>& features,
                   const Criterion& criterion, const TrainingOptions& options,
                   std::function<void(double)> on_progress)
      : sampler_(sampler),
        features_(features),
        criterion_(criterion),
        options_(options),
        on_progress_(std::move(on_progress)) {}

  OrderTable<Ages> operator()(const std::vector<double>& theta, int iteration) const {
    tbb::task_arena arena(shortfall::detail::worker_threads(options_.threads));
    std::vector<double> values(sampler_.model().states());
    arena.execute([&] { tabulate(theta, values); });
    if (options_.scenarios > 0) {
      Policy orders(values.size());
      const learn::Scenarios scenarios(
          options_.scenarios, derive_seed(options_.seed, static_cast<std::uint64_t>(iteration)));
      arena.execute([&] { choose_by_scenarios(values, scenarios, orders); });
      return {&sampler_, std::move(orders)};
    }
    const SolverOptions options{.threads = options_.threads, .on_progress = on_progress_};
    StockBellman bellman(sampler_.model(), criterion_, options);
    return {&sampler_, greedy_orders(bellman, values)};
  }

 private:
  /// Calls visitor(state index, stock) for all states, in parallel, with one visitor per range.
  template <class MakeVisitor>
  void for_each_state(const MakeVisitor& make_visitor) const {
    const StockIndex& stocks = sampler_.model().stocks();
    std::size_t done = 0;
    std::mutex progress_mutex;
    const auto run = [&](const tbb::blocked_range<std::size_t>& range) {
      auto visitor = make_visitor();
      State x;
      CumulativeStock stock(stocks, range.begin() % stocks.size());
      for (std::size_t s = range.begin(); s < range.end(); ++s) {
        if (s % stocks.size() == 0) stock = CumulativeStock(stocks, 0);
        x.day = static_cast<std::uint32_t>(s / stocks.size());
        x.up_to.fill(static_cast<std::int32_t>(stock.total()));
        for (std::size_t i = 0; i < stocks.length(); ++i) {
          x.up_to[i] = static_cast<std::int32_t>(stock[i + 1]);
        }
        visitor(s, x);
        if (s + 1 < range.end() && (s + 1) % stocks.size() != 0) stock.advance();
      }
      if (!on_progress_) return;
      const std::lock_guard lock(progress_mutex);
      done += range.size();
      on_progress_(static_cast<double>(done) / static_cast<double>(sampler_.model().states()));
    };
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, sampler_.model().states(), 256), run);
  }

  /// φᵀθ by state.
  void tabulate(const std::vector<double>& theta, std::vector<double>& values) const {
    for_each_state([&] {
      return [&, value = learn::LinearValue(features_, theta)](std::size_t s, const State& x) {
        values[s] = value(x);
      };
    });
  }

  void choose_by_scenarios(const std::vector<double>& values, const learn::Scenarios& scenarios,
                           Policy& orders) const {
    const auto value = [&](const State& x) { return values[sampler_.index(x)]; };
    for_each_state([&] {
      return [&, memory = learn::SampledRisk(criterion_.loss, scenarios.size())](
                 std::size_t s, const State& x) mutable {
        orders[s] = learn::greedy_action(sampler_, value, criterion_.gamma, x, scenarios, memory);
      };
    });
  }

  const StockSampler<Ages>& sampler_;
  const SampledStockFeatures<Ages>& features_;
  const Criterion& criterion_;
  const TrainingOptions& options_;
  std::function<void(double)> on_progress_;
};

}  // namespace shortfall::inventory::detail

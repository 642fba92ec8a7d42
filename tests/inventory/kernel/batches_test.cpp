#include "inventory/kernel/batches.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "inventory/kernel/delivered_stock.hpp"
#include "inventory/kernel/nested_binomials.hpp"
#include "inventory/kernel/stock_bellman.hpp"
#include "shortfall/inventory/model/demand.hpp"
#include "tests/inventory/model/models_for_tests.hpp"
#include "tests/parallel/thread_communicator.hpp"

namespace shortfall::inventory {

namespace batches_test {

using shortfall::detail::Communicator;
using shortfall::testing::run_ranks;

TEST(Batches, HaveEveryStockOnce) {
  const StockIndex stocks(3, 14);
  std::vector<double> work(15);
  for (std::size_t t = 0; t < work.size(); ++t) work[t] = static_cast<double>((15 - t) * (15 - t));
  for (const std::size_t ranks : {1u, 2u, 3u, 7u, 40u}) {
    std::vector<int> seen(stocks.size(), 0);  // ranks write to different elements
    run_ranks(ranks, [&](Communicator& communicator) {
      const Batches batches(stocks, work, communicator);
      std::size_t own = 0;
      for (const StockRange& batch : batches.own()) {
        EXPECT_EQ(batch.first_own, own);
        EXPECT_LE(batch.end - batch.begin, largest_batch);
        EXPECT_GE(batch.begin, stocks.layer_begin(batch.total));
        EXPECT_LE(batch.end, stocks.layer_begin(batch.total + 1));
        own += batch.end - batch.begin;
      }
      EXPECT_EQ(batches.own_stocks(), own);
      std::vector<int> visits(own, 0);
      batches.for_each_own([&](std::size_t x, std::size_t k) {
        ++seen[x];
        ++visits[k];
      });
      EXPECT_EQ(visits, std::vector<int>(own, 1));
    });
    EXPECT_EQ(seen, std::vector<int>(stocks.size(), 1)) << ranks << " ranks";
  }
}

TEST(Batches, GatherElementsOfAnySize) {
  const StockIndex stocks(3, 9);
  const std::vector<double> work(10, 1.0);
  for (const std::size_t ranks : {1u, 2u, 5u}) {
    run_ranks(ranks, [&](Communicator& communicator) {
      Batches batches(stocks, work, communicator);
      std::vector<double> values(stocks.size(), communicator.size() == 1 ? 0.0 : -1.0);
      std::vector<std::int32_t> orders(stocks.size(), -1);
      batches.for_each_own([&](std::size_t x, std::size_t) {
        values[x] = 0.5 * static_cast<double>(x);
        orders[x] = static_cast<std::int32_t>(x);
      });
      for (int round = 0; round < 2; ++round) {  // buffers are used again
        batches.gather(std::span(orders));
        batches.gather(std::span(values));
      }
      for (std::size_t x = 0; x < stocks.size(); ++x) {
        ASSERT_EQ(values[x], 0.5 * static_cast<double>(x));
        ASSERT_EQ(orders[x], static_cast<std::int32_t>(x));
      }
    });
  }
}

/// The published platelets of shelf life 8, from an estimate that knows no orders: passes over all
/// orders, over the orders up to 17 units, and over single rows, all have their work divided.
TEST(Batches, DivideTheWorkOfAllKindsOfPasses) {
  const Model model = shortfall::testing::paper_model(8);
  const NestedBinomials deliveries(model.arrival(0), model.capacity());
  const std::size_t totals = model.capacity() + 1;
  std::vector<double> of_all_orders(totals, 32.0);  // and what every stock takes
  std::vector<double> of_one_order(totals, 1.0);
  for (std::size_t t = 0; t < totals; ++t) {
    for (std::size_t z = 0; t + z < totals; ++z) {
      of_all_orders[t] += static_cast<double>(deliveries.deliveries(z));
      if (t + z == 17) of_one_order[t] = static_cast<double>(deliveries.deliveries(z));
    }
  }
  const std::vector<double> of_single_rows(totals, 1.0);
  for (const std::size_t ranks : {2u, 4u, 16u}) {
    std::vector<double> load[3];
    for (std::vector<double>& of_kind : load) of_kind.resize(ranks);
    run_ranks(ranks, [&](Communicator& communicator) {
      const Batches batches(model.stocks(), of_all_orders, communicator);
      for (const StockRange& batch : batches.own()) {
        const auto size = static_cast<double>(batch.end - batch.begin);
        load[0][communicator.rank()] += size * of_all_orders[batch.total];
        load[1][communicator.rank()] += size * of_one_order[batch.total];
        load[2][communicator.rank()] += size * of_single_rows[batch.total];
      }
    });
    const double allowed[] = {1.001, 1.01, 1.03};
    for (std::size_t kind = 0; kind < 3; ++kind) {
      const double mean =
          std::accumulate(load[kind].begin(), load[kind].end(), 0.0) / static_cast<double>(ranks);
      EXPECT_LE(*std::ranges::max_element(load[kind]), allowed[kind] * mean)
          << ranks << " ranks, kind " << kind;
    }
  }
}

TEST(ValueRange, IsThatOfAllParts) {
  std::vector<double> values(100'000);
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = static_cast<double>((7 * k) % 1009);
  values[70'000] = -3.0;
  values[99'999] = 2000.0;
  for (const std::size_t ranks : {1u, 3u}) {
    run_ranks(ranks, [&](Communicator& communicator) {
      const ValueRange range = range_of(values, communicator);
      EXPECT_EQ(range.lowest, -3.0);
      EXPECT_EQ(range.highest, 2000.0);
      const ValueRange of_one = range_of(std::span(values).first(1), communicator);
      EXPECT_EQ(of_one.lowest, 0.0);  // some ranks have no part of it
      EXPECT_EQ(of_one.highest, 0.0);
    });
  }
}

}  // namespace batches_test

namespace delivered_stock_test {

/// What is left of w after demand, from the oldest units to the freshest, once the rest of the
/// oldest age has expired.
std::vector<std::uint8_t> left(std::vector<std::uint8_t> w, std::size_t demand) {
  for (std::uint8_t& units : w) {
    const std::size_t sold = std::min<std::size_t>(units, demand);
    units = static_cast<std::uint8_t>(units - sold);
    demand -= sold;
  }
  w.erase(w.begin());
  return w;
}

/// In runs that cover the range, each as long as it can be.
void expect_what_demands_leave(const Model& model, const DeliveredStock& delivered,
                               const RowRange& range) {
  std::vector<std::uint8_t> w(model.shelf_life());
  std::size_t row = range.begin;
  std::vector<std::uint8_t> last;
  delivered.for_each_run(range, [&](const RowRun& run) {
    ASSERT_EQ(run.begin, row);
    ASSERT_LE(run.end, range.end);
    for (std::size_t expiring = run.first_expiring; row < run.end; ++row, ++expiring) {
      const std::size_t rank = delivered.index().layer_begin(range.t) + row;
      delivered.index().unrank(static_cast<std::uint32_t>(rank), w);
      ASSERT_EQ(expiring, w[0]);
      for (std::size_t d = 0; d < delivered.width(range.t); ++d) {
        ASSERT_EQ(run.left[std::max(d, expiring)], model.stocks().rank(left(w, d)));
      }
    }
    const std::vector<std::uint8_t> fresher(w.begin() + std::min<std::ptrdiff_t>(2, std::ssize(w)),
                                            w.end());
    EXPECT_TRUE(last.empty() || fresher != last);
    last = fresher;
  });
  EXPECT_EQ(row, range.end);
}

TEST(DeliveredStock, HasTheStockThatEachDemandLeaves) {
  for (const std::size_t shelf_life : {1u, 2u, 3u, 5u}) {
    for (const std::size_t max_demand : {0u, 2u, 9u}) {
      const Model model({.capacity = 6,
                         .max_order = {6},
                         .arrival = {Arrival::fresh(shelf_life)},
                         .demand = {poisson_demand(1.5, max_demand)},
                         .cost = {shortfall::testing::paper_costs}});
      const DeliveredStock delivered(model);
      for (std::size_t total = 0; total <= 6; ++total) {
        ASSERT_EQ(delivered.width(total), std::min(total, max_demand + 1));
        const std::size_t rows = delivered.index().layer_size(total);
        for (const RowRange& range : {RowRange{total, 0, rows}, RowRange{total, rows / 3, rows},
                                      RowRange{total, rows / 2, rows - rows / 4}}) {
          expect_what_demands_leave(model, delivered, range);
        }
      }
    }
  }
}

}  // namespace delivered_stock_test

}  // namespace shortfall::inventory

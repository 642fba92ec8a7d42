#include "inventory/kernel/delivered_stock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "shortfall/inventory/model/demand.hpp"
#include "tests/inventory/model/models_for_tests.hpp"

namespace shortfall::inventory {
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

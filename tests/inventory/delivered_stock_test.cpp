#include "inventory/delivered_stock.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "shortfall/inventory/demand.hpp"
#include "tests/inventory/models_for_tests.hpp"

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

TEST(DeliveredStock, HasTheStockThatEachDemandLeaves) {
  for (const std::size_t shelf_life : {1u, 2u, 3u, 5u}) {
    for (const std::size_t max_demand : {0u, 2u, 9u}) {
      const Model model({.capacity = 6,
                         .max_order = {6},
                         .arrival = {Arrival::fresh(shelf_life)},
                         .demand = {poisson_demand(1.5, max_demand)},
                         .cost = {shortfall::testing::paper_costs}});
      const DeliveredStock delivered(model, 1);
      std::vector<std::uint8_t> w(shelf_life);
      for (std::size_t total = 0; total <= 6; ++total) {
        ASSERT_EQ(delivered.width(total), std::min(total, max_demand + 1));
        for (std::size_t row = 0; row < delivered.index().layer_size(total); ++row) {
          const std::size_t rank = delivered.index().layer_begin(total) + row;
          delivered.index().unrank(static_cast<std::uint32_t>(rank), w);
          EXPECT_EQ(delivered.expiring()[rank], w[0]);
          const std::uint32_t* const next =
              delivered.next() + delivered.entry_begin(total) + row * delivered.stride(total);
          for (std::size_t d = 0; d < delivered.stride(total); ++d) {
            const bool used = d < delivered.width(total);
            ASSERT_EQ(next[d], used ? model.stocks().rank(left(w, d)) : 0);
          }
        }
      }
    }
  }
}

}  // namespace delivered_stock_test
}  // namespace shortfall::inventory

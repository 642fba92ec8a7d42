#include "shortfall/inventory/model/stock_index.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <vector>

#include "shortfall/errors/error.hpp"

namespace shortfall::inventory {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::ThrowsMessage;

using Stock = std::vector<std::uint8_t>;

Stock stock_at(const StockIndex& index, std::size_t rank) {
  Stock stock(index.length());
  index.unrank(static_cast<std::uint32_t>(rank), stock);
  return stock;
}

std::size_t total_of(const Stock& stock) {
  return std::accumulate(stock.begin(), stock.end(), std::size_t{0});
}

/// All vectors of the given length and total ≤ capacity, one by one.
std::vector<Stock> all_stocks(std::size_t length, std::size_t capacity) {
  std::vector<Stock> stocks;
  Stock stock(length, 0);
  while (true) {
    if (total_of(stock) <= capacity) stocks.push_back(stock);
    std::size_t i = 0;
    for (; i < stock.size() && stock[i] == capacity; ++i) stock[i] = 0;
    if (i == stock.size()) return stocks;
    ++stock[i];
  }
}

TEST(StockIndex, NumbersTheExampleOfItsHeader) {
  const StockIndex index(2, 1);
  ASSERT_EQ(index.size(), 3);
  EXPECT_THAT(stock_at(index, 0), ElementsAre(0, 0));
  EXPECT_THAT(stock_at(index, 1), ElementsAre(0, 1));
  EXPECT_THAT(stock_at(index, 2), ElementsAre(1, 0));
}

TEST(StockIndex, IsABijection) {
  for (std::size_t length = 0; length <= 5; ++length) {
    for (const std::size_t capacity : {1U, 2U, 5U, 7U}) {
      const StockIndex index(length, capacity);
      const std::vector<Stock> stocks = all_stocks(length, capacity);
      ASSERT_EQ(index.size(), stocks.size());
      EXPECT_NEAR(StockIndex::count(length, capacity), static_cast<double>(stocks.size()), 1e-9);
      std::vector<bool> seen(index.size(), false);
      for (const Stock& stock : stocks) {
        const std::uint32_t rank = index.rank(stock);
        ASSERT_LT(rank, index.size());
        EXPECT_FALSE(seen[rank]);
        seen[rank] = true;
        EXPECT_EQ(stock_at(index, rank), stock);
      }
    }
  }
}

TEST(StockIndex, OrdersLayersByTotal) {
  const StockIndex index(3, 6);
  EXPECT_EQ(index.layer_begin(0), 0);
  EXPECT_EQ(index.layer_begin(7), index.size());
  for (std::size_t t = 0; t <= 6; ++t) {
    EXPECT_EQ(index.layer_size(t), (t + 1) * (t + 2) / 2);
    for (std::size_t r = index.layer_begin(t); r < index.layer_begin(t + 1); ++r) {
      EXPECT_EQ(total_of(stock_at(index, r)), t);
    }
  }
}

TEST(StockIndex, DoesNotDependOnTheCapacity) {
  const StockIndex small(3, 4);
  const StockIndex large(3, 20);
  for (const Stock& stock : all_stocks(3, 4)) EXPECT_EQ(small.rank(stock), large.rank(stock));
}

/// Those with x_L = 0 are as many as the vectors of L - 1 ages of that total, in the same order.
TEST(StockIndex, PutsStockWithoutTheLastAgeLastInItsLayer) {
  const StockIndex index(4, 6);
  const StockIndex shorter(3, 6);
  for (std::size_t t = 1; t <= 6; ++t) {
    const std::size_t begin = index.layer_begin(t + 1) - shorter.layer_size(t);
    for (std::size_t r = index.layer_begin(t); r < index.layer_begin(t + 1); ++r) {
      const Stock stock = stock_at(index, r);
      EXPECT_EQ(stock.back() == 0, r >= begin);
      if (r < begin) continue;
      const Stock front(stock.begin(), stock.end() - 1);
      EXPECT_EQ(shorter.rank(front) - shorter.layer_begin(t), r - begin);
    }
  }
}

/// s_1 + 1 with all other s_i the same: one unit of the second age becomes one of the first.
TEST(StockIndex, ChangesOnlyTheFirstSumBetweenNeighbours) {
  const StockIndex index(4, 6);
  std::size_t neighbours = 0;
  for (std::size_t r = 0; r < index.size(); ++r) {
    Stock stock = stock_at(index, r);
    if (stock[1] == 0) continue;
    ++stock[0];
    --stock[1];
    EXPECT_EQ(index.rank(stock), r + 1);
    ++neighbours;
  }
  EXPECT_EQ(neighbours, StockIndex(4, 5).size());  // vectors with x_2 ≥ 1
}

TEST(StockIndex, HasTheTermsOfTheFormula) {
  const StockIndex index(3, 9);
  for (std::size_t s = 0; s <= 10; ++s) {
    EXPECT_EQ(index.terms(1)[s], s);
    EXPECT_EQ(index.terms(2)[s], s * (s + 1) / 2);
    EXPECT_EQ(index.terms(3)[s], s * (s + 1) * (s + 2) / 6);
  }
}

/// Wang and Delage, section 6.2, for m = 3, 5 and 8; and the stock after delivery.
TEST(StockIndex, CountsTheStatesOfThePublishedModels) {
  EXPECT_EQ(StockIndex(2, 20).size(), 231);
  EXPECT_EQ(StockIndex(4, 20).size(), 10626);
  EXPECT_EQ(StockIndex(7, 20).size(), 888030);
  EXPECT_EQ(StockIndex(8, 20).size(), 3108105);
}

TEST(StockIndex, WithoutAgesHasOnlyTheEmptyStock) {
  const StockIndex index(0, 5);
  EXPECT_EQ(index.size(), 1);
  EXPECT_EQ(index.rank({}), 0);
  EXPECT_EQ(index.layer_size(0), 1);
  for (std::size_t t = 1; t <= 5; ++t) EXPECT_EQ(index.layer_size(t), 0);
}

TEST(StockIndex, AcceptsTheLargestCapacityAndRejectsMore) {
  const StockIndex index(3, 250);
  EXPECT_EQ(index.size(), 2667126);  // binomial(253, 3)
  EXPECT_EQ(stock_at(index, index.size() - 1), (Stock{250, 0, 0}));
  EXPECT_EQ(index.rank(Stock{250, 0, 0}), 2667125);
  EXPECT_THAT([] { StockIndex(3, 251); },
              ThrowsMessage<InvalidInput>(
                  HasSubstr("3 ages and capacity 251; accepted: at most 10 and 250")));
  EXPECT_THAT([] { StockIndex(11, 5); },
              ThrowsMessage<InvalidInput>(HasSubstr("11 ages and capacity 5; accepted: at most")));
}

/// Both sides of the largest capacity that ten ages allow.
TEST(StockIndex, RejectsMoreVectorsThanThirtyTwoBitsCanNumber) {
  std::size_t capacity = 1;
  while (StockIndex::count(10, capacity + 1) <= 4294967295.0) ++capacity;
  const StockIndex largest(10, capacity);
  EXPECT_NEAR(static_cast<double>(largest.size()), StockIndex::count(10, capacity), 1e-4);
  Stock last(10, 0);
  last[0] = static_cast<std::uint8_t>(capacity);
  EXPECT_EQ(largest.rank(last), largest.size() - 1);
  EXPECT_EQ(stock_at(largest, largest.size() - 1), last);
  EXPECT_THAT([&] { StockIndex(10, capacity + 1); },
              ThrowsMessage<InvalidInput>(HasSubstr("stock vectors; accepted: below 4.29e9")));
}

}  // namespace
}  // namespace shortfall::inventory

#include "shortfall/risk/compensated_sum.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "shortfall/numbers/infinity.hpp"

namespace shortfall {
namespace {

TEST(CompensatedSum, KeepsDigitsThatAPlainSumLoses) {
  EXPECT_EQ(compensated_sum(std::vector{1.0, 1e100, 1.0, -1e100}), 2.0);
  EXPECT_EQ(compensated_sum(std::vector<double>(10, 0.1)), 1.0);  // a plain sum is 1 - 1.1e-16
}

TEST(CompensatedSum, AddsProductsWithoutRoundingThem) {
  const double a = 1.0 + 0x1.0p-30;
  const double b = 1.0 - 0x1.0p-30;
  CompensatedSum sum;
  sum.add_product(a, b);  // 1 - 2^-60, which is 1 in double
  sum.add(-1.0);
  EXPECT_EQ(sum.value(), -0x1.0p-60);
}

TEST(CompensatedSum, IsInfiniteIfTheSumIs) {
  EXPECT_EQ(compensated_sum(std::vector{1.0, infinity}), infinity);
  EXPECT_EQ(compensated_sum(std::vector{1e308, 1e308, 1.0}), infinity);
}

}  // namespace
}  // namespace shortfall

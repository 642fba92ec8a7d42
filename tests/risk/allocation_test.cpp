// The risk of a law allocates nothing, for any loss and any length.
#include <gtest/gtest.h>

#include <vector>

#include "tests/counted_allocations.hpp"
#include "tests/risk/losses_for_tests.hpp"

namespace shortfall {
namespace {

TEST(ShortfallRisk, AllocatesNothing) {
  const std::vector<AnyLoss> losses = testing::all_losses();
  for (const std::size_t size : {1u, 10u, 1001u}) {
    std::vector<double> atoms(size);
    for (std::size_t i = 0; i < size; ++i) atoms[i] = static_cast<double>((i * 7919) % 1000);
    const std::vector<double> probabilities(size, 1.0 / static_cast<double>(size));
    const Law law{atoms, probabilities};
    const long before = testing::allocations;
    double sum = 0.0;
    for (const AnyLoss& loss : losses) {
      sum += shortfall_risk(loss, law) + shortfall_risk(loss, law, 3.0);
      sum += is_acceptable(loss, law, 1.0) ? 1.0 : 0.0;
    }
    EXPECT_EQ(testing::allocations, before) << size << " atoms";
    EXPECT_GT(sum, 0.0);
  }
}

}  // namespace
}  // namespace shortfall

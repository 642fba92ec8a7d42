#include "shortfall/formats/saved_solution.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <string_view>

#include "files/checksum.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "tests/files_for_tests.hpp"
#include "tests/formats/inventory_for_tests.hpp"

namespace shortfall::io {
namespace {

using ::testing::HasSubstr;

class SavedSolution : public FileTest {
 protected:
  SavedSolution() { write_solution(saved, plan, solution); }

  InventoryConfiguration plan_with(const std::string& old_line, const std::string& new_line) const {
    return read(with_line(small_inventory, old_line, new_line));
  }
  InventoryConfiguration read(const std::string& text) const {
    return InventoryToml(file(text, "c.toml")).configuration();
  }
  std::string refusal(const InventoryConfiguration& other) const {
    return failure_of<InvalidInput>([&] { (void)read_solution(saved, other); });
  }

  std::string saved = path("plan.solution");
  InventoryConfiguration plan = read(small_inventory);
  Solution solution = inventory::solve(plan.model, plan.criterion);
};

constexpr const char* accepted = "nothing was thrown";

TEST_F(SavedSolution, IsReadBackBitForBit) {
  const Solution found = read_solution(saved, plan);
  EXPECT_EQ(found.values, solution.values);
  EXPECT_EQ(found.policy, solution.policy);
  EXPECT_EQ(found.error_bound, solution.error_bound);
  EXPECT_EQ(found.status, solution.status);
  EXPECT_EQ(found.iterations, solution.iterations);
}

TEST_F(SavedSolution, IsRefusedForAPlanThatHasChangedAndSaysHow) {
  const auto expect_change = [&](const std::string& old_line, const std::string& new_line,
                                 const std::string& change) {
    EXPECT_THAT(refusal(plan_with(old_line, new_line)), HasSubstr(change)) << new_line;
  };
  EXPECT_EQ(refusal(read(small_inventory)), accepted);
  expect_change("order", "order = 2", "since it was solved: cost.order: 1 when solved, 2 now;");
  expect_change("order", "order = 1.0000000000000002", "cost.order: 1 when solved, 1.00000000");
  expect_change("holding", "holding = 0", "cost.holding: 0.5 when solved, 0 now");
  expect_change("shortage", "shortage = 7", "cost.shortage: 6 when solved, 7 now");
  expect_change("wastage", "wastage = 1", "cost.wastage: 2 when solved, 1 now");
  expect_change("capacity", "capacity = 4", "inventory.capacity: 3 when solved, 4 now");
  expect_change("max_order", "max_order = 3", "inventory.max_order: 2 when solved, 3 now");
  expect_change("loss", "loss = \"mean\"", "risk.loss: expectile:0.7 when solved, mean now");
  expect_change("gamma", "gamma = 0.7", "risk.gamma: 0.6 when solved, 0.7 now");
  expect_change("mean", "mean = 1.5", "since it was solved: demand.mean: ");
  expect_change("max =", "max = 5", "since it was solved: demand.max: 4 when solved, 5 now; accep");
  expect_change("n =", "n = 3", "demand");
  expect_change("c0", "c0 = [1, 0.6]", "arrival (its shares): ");
  expect_change("c1", "c1 = [-0.2, -0.2]", "arrival (its shares): ");
  expect_change("mean", "mean = [1.25, 1.25, 1.25, 1.25, 1.25, 1.25, 1.25]",
                "weekdays: 1 when solved, 7 now");
}

TEST_F(SavedSolution, OfAWeekNamesTheDay) {
  const auto week = [&](const std::string& tuesday) {
    return plan_with("mean", "mean = [1.25, " + tuesday + ", 1.25, 1.25, 1.25, 1.25, 1]");
  };
  const InventoryConfiguration solved = week("2");
  write_solution(saved, solved, inventory::solve(solved.model, solved.criterion));
  EXPECT_EQ(refusal(week("2")), accepted);
  EXPECT_THAT(refusal(week("1.9")), HasSubstr("solved: demand.mean on Tuesday: 1."));
}

TEST_F(SavedSolution, WithAnyByteChangedOrMissingIsRefused) {
  const std::string whole = content(saved);
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string damaged = whole;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    file(damaged, "plan.solution");
    EXPECT_THAT(refusal(plan), HasSubstr("accepted: ")) << "byte " << i;
  }
  for (std::size_t size = 0; size < whole.size(); size += 7) {
    file(whole.substr(0, size), "plan.solution");
    EXPECT_THAT(refusal(plan), HasSubstr("accepted: ")) << size << " bytes";
  }
  file(whole + "x", "plan.solution");
  EXPECT_THAT(refusal(plan), HasSubstr("truncated or has extra bytes"));
  file(small_inventory, "plan.solution");
  EXPECT_THAT(refusal(plan), HasSubstr("this is not a saved solution; accepted: a file written"));
  saved = path("none");
  EXPECT_THAT(refusal(plan), HasSubstr("there is no such file"));
}

TEST_F(SavedSolution, IsNotWrittenForALossThatIsAFunctionOrAnotherModel) {
  struct Line {
    LossPoint at(double x) const { return {x, 1.0}; }
    double score(double x) const { return 0.5 * x * x; }
    SlopeBounds slope_bounds() const { return {1.0, 1.0}; }
    HalfLineCurvature curvature() const { return {Curvature::linear, Curvature::linear}; }
  };
  const InventoryConfiguration custom{plan.model, {CustomLoss(Line()), 0.6}};
  EXPECT_THROW(write_solution(saved, custom, solution), InvalidInput);
  const InventoryConfiguration larger = plan_with("capacity", "capacity = 4");
  EXPECT_THROW(write_solution(saved, larger, solution), InvalidInput);
  EXPECT_EQ(read_solution(saved, plan).values, solution.values);
}

TEST_F(SavedSolution, ThatIsForgedIsNotShown) {
  // From the end: the checksum, the orders and before them their number, the values likewise, the
  // number of iterations, the error bound.
  const std::string whole = content(saved);
  const std::size_t states = solution.values.size();
  const std::size_t orders_at = whole.size() - 4 - states * sizeof(ActionIndex);
  const std::size_t values_at = orders_at - 8 - states * sizeof(double);
  const std::size_t bound_at = values_at - 8 - 8 - sizeof(double);
  const auto forged = [&](std::size_t at, const auto& value) {
    std::string bytes = whole;
    std::memcpy(bytes.data() + at, &value, sizeof value);
    const std::uint32_t seal = checksum(std::string_view(bytes).substr(0, bytes.size() - 4));
    std::memcpy(bytes.data() + bytes.size() - 4, &seal, sizeof seal);
    file(bytes, "plan.solution");
    return failure_of<InvalidInput>([&] { (void)summarise_solution(saved); });
  };
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(forged(bound_at, solution.error_bound), accepted);
  EXPECT_THAT(forged(bound_at, nan), HasSubstr("error bound or number of iterations is out of"));
  EXPECT_THAT(forged(bound_at + 8, std::int64_t{1} << 40),
              HasSubstr("number of iterations is out"));
  EXPECT_THAT(forged(values_at, nan), HasSubstr("a value is not finite"));
  EXPECT_THAT(forged(orders_at, ActionIndex{-1}), HasSubstr("an order is negative"));
}

}  // namespace
}  // namespace shortfall::io

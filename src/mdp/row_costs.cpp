#include "shortfall/mdp/row_costs.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "parallel/threads.hpp"

namespace shortfall {
namespace {

/// Of several outcomes side by side, which the compiler puts into vector lanes.
struct Extent {
  static constexpr std::size_t lanes = 8;
  std::array<double, lanes> lowest;
  std::array<double, lanes> highest;
  std::array<double, lanes> least;
  std::array<double, lanes> sum{};

  explicit Extent(double cost) {
    lowest.fill(cost);
    highest.fill(cost);
    least.fill(1.0);
  }
  void add(std::size_t lane, double p, double c, double centre) {
    lowest[lane] = c < lowest[lane] ? c : lowest[lane];
    highest[lane] = c > highest[lane] ? c : highest[lane];
    least[lane] = p < least[lane] ? p : least[lane];
    sum[lane] += p * (c - centre);
  }
};

struct Limits {
  double lowest = 0.0;
  double highest = 0.0;
  double least_probability = 1.0;
};

/// E c is summed relative to the first cost, so that its error scales with the spread of costs.
void summarise_row(const Outcomes::Row& law, double& expected, std::uint8_t& varies,
                   Limits& limits) {
  const std::size_t count = law.cost.size();
  const double first = law.cost[0];
  Extent extent(first);
  std::size_t i = 0;
  for (; i + Extent::lanes <= count; i += Extent::lanes) {
    for (std::size_t k = 0; k < Extent::lanes; ++k) {
      extent.add(k, law.probability[i + k], law.cost[i + k], first);
    }
  }
  for (std::size_t k = 0; i + k < count; ++k) {
    extent.add(k, law.probability[i + k], law.cost[i + k], first);
  }
  double sum = 0.0;
  for (const double part : extent.sum) sum += part;
  const double lowest = *std::ranges::min_element(extent.lowest);
  const double highest = *std::ranges::max_element(extent.highest);
  expected = first + sum;
  varies = lowest == highest ? 0 : 1;
  limits.lowest = std::min(limits.lowest, lowest);
  limits.highest = std::max(limits.highest, highest);
  limits.least_probability =
      std::min(limits.least_probability, *std::ranges::min_element(extent.least));
}

}  // namespace

RowCosts RowCosts::of(const Outcomes& outcomes) {
  constexpr std::size_t outcomes_per_task = 65536;
  const std::size_t rows = outcomes.rows();
  const std::size_t rows_per_task =
      std::max<std::size_t>(1, outcomes_per_task * rows / (outcomes.size() + rows + 1));
  RowCosts costs;
  costs.expected.assign(rows, std::numeric_limits<double>::quiet_NaN());
  costs.vary.assign(rows, 0);
  const Limits all = detail::parallel_reduce(
      rows, rows_per_task, Limits{},
      [&](std::size_t first, std::size_t last) {
        Limits limits;
        for (std::size_t r = first; r < last; ++r) {
          const Outcomes::Row law = outcomes.row(r);
          if (!law.cost.empty()) summarise_row(law, costs.expected[r], costs.vary[r], limits);
        }
        return limits;
      },
      [](Limits& a, const Limits& b) {
        a = {std::min(a.lowest, b.lowest), std::max(a.highest, b.highest),
             std::min(a.least_probability, b.least_probability)};
      });
  costs.lowest = all.lowest;
  costs.highest = all.highest;
  costs.least_probability = all.least_probability;
  return costs;
}

}  // namespace shortfall

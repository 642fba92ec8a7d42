#include "shortfall/mdp/row_costs.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "mdp/grouped_checks.hpp"
#include "parallel/threads.hpp"

namespace shortfall {
namespace {

/// Extremes and a sum over several outcomes side by side, which the compiler puts into vector
/// lanes.
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

/// E c is summed relative to the first cost, so that its error scales with the spread of costs.
detail::CostLimits summarise_long(const Outcomes::Row& law, double& expected) {
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
  expected = first + sum;
  return {*std::ranges::min_element(extent.lowest), *std::ranges::max_element(extent.highest),
          *std::ranges::min_element(extent.least)};
}

/// The same, with the same bits, for rows that do not fill the lanes.
detail::CostLimits summarise_short(const Outcomes::Row& law, double& expected) {
  const double first = law.cost[0];
  detail::CostLimits limits{first, first, 1.0};
  double sum = 0.0;
  for (std::size_t i = 0; i < law.cost.size(); ++i) {
    const double p = law.probability[i];
    const double c = law.cost[i];
    limits.lowest = c < limits.lowest ? c : limits.lowest;
    limits.highest = c > limits.highest ? c : limits.highest;
    limits.least_probability = p < limits.least_probability ? p : limits.least_probability;
    sum += p * (c - first);
  }
  expected = first + sum;
  return limits;
}

}  // namespace

detail::CostLimits detail::summarise_row(const Outcomes::Row& law, double& expected,
                                         std::uint8_t& varies) {
  if (law.cost.empty()) return {};
  const CostLimits limits = law.cost.size() < Extent::lanes ? summarise_short(law, expected)
                                                            : summarise_long(law, expected);
  varies = limits.lowest == limits.highest ? 0 : 1;
  return limits;
}

RowCosts detail::empty_row_costs(std::size_t rows) {
  RowCosts costs;
  costs.expected.assign(rows, std::numeric_limits<double>::quiet_NaN());
  costs.vary.assign(rows, 0);
  return costs;
}

void detail::set_limits(const CostLimits& limits, RowCosts& costs) {
  costs.lowest = limits.lowest;
  costs.highest = limits.highest;
  costs.least_probability = limits.least_probability;
}

std::size_t detail::rows_per_task(const Outcomes& outcomes) {
  constexpr std::size_t outcomes_per_task = 65536;
  const std::size_t rows = outcomes.rows();
  return std::max<std::size_t>(1,
                               outcomes_per_task * rows / (outcomes.row_begin.back() + rows + 1));
}

RowCosts RowCosts::of(const Outcomes& outcomes) {
  RowCosts costs = detail::empty_row_costs(outcomes.rows());
  const auto all = detail::parallel_reduce(
      outcomes.rows(), detail::rows_per_task(outcomes), detail::CostLimits(),
      [&](std::size_t first, std::size_t last) {
        detail::CostLimits limits;
        for (std::size_t r = first; r < last; ++r) {
          limits.merge(detail::summarise_row(outcomes.row(r), costs.expected[r], costs.vary[r]));
        }
        return limits;
      },
      [](detail::CostLimits& a, const detail::CostLimits& b) { a.merge(b); });
  detail::set_limits(all, costs);
  return costs;
}

}  // namespace shortfall

#pragma once

#include <array>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "shortfall/inventory/fit/records.hpp"
#include "shortfall/inventory/model/demand.hpp"
#include "shortfall/mdp/random_bits.hpp"

namespace shortfall::inventory {

/// The smallest k with u < P(D ≤ k).
inline std::uint32_t drawn(std::span<const double> law, double u) {
  std::uint32_t k = 0;
  for (double sum = law[0]; sum <= u && k + 1 < law.size(); sum += law[++k]) {
  }
  return k;
}

/// Simulated days from Monday, 2025-01-06, with negative binomial demand, or Poisson for n = 0.
struct SimulatedDays {
  std::size_t days = 365;
  std::array<double, 7> mean = {6, 6, 6, 6, 6, 6, 6};  ///< negative: closed
  double n = 11.0;
  std::uint32_t stock = 1000;  ///< demand of as much or more is recorded as a stock-out
  double growth = 0.0;         ///< of the logarithm of demand, per day
};

inline Records simulated(const SimulatedDays& what, std::mt19937_64& bits) {
  Records records{.days = {}, .columns = {.stockout = true}};
  const auto monday = *parse_iso_date("2025-01-06");
  for (std::size_t t = 0; t < what.days; ++t) {
    const double mean = what.mean[t % 7] * std::exp(what.growth * static_cast<double>(t));
    if (mean < 0.0) continue;
    const std::vector<double> law =
        what.n > 0.0 ? negative_binomial_demand(what.n, mean, 200) : poisson_demand(mean, 200);
    const std::uint32_t demand = drawn(law, draw_uniform(bits));
    DayRecord& day = records.days.emplace_back();
    day.date = monday + std::chrono::days(t);
    day.demand = std::min(demand, what.stock);
    day.stockout = demand >= what.stock;
  }
  return records;
}

/// Days with the given demands, from that Monday on.
inline Records days_with(std::span<const std::uint32_t> demands) {
  Records records{.days = {}, .columns = {}};
  for (const std::uint32_t demand : demands) {
    DayRecord& day = records.days.emplace_back();
    day.date = *parse_iso_date("2025-01-06") + std::chrono::days(records.days.size() - 1);
    day.demand = demand;
  }
  return records;
}

}  // namespace shortfall::inventory

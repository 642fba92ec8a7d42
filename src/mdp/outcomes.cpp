#include "shortfall/mdp/outcomes.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <vector>

#include "numbers/roundoff.hpp"
#include "parallel/threads.hpp"

namespace shortfall {

void Outcomes::divide_costs(double divisor) {
  const double largest = largest_cost() / divisor;
  for (double& c : cost) c /= divisor;
  cost_error =
      detail::rounded_up(cost_error / divisor + detail::unit_roundoff * largest, 4.0) +
      (largest > 0.0 ? std::numeric_limits<double>::denorm_min() : 0.0);
}

void Outcomes::sort_rows() {
  constexpr std::size_t rows_per_task = 4096;
  detail::parallel_for_blocks(rows(), rows_per_task, [this](std::size_t first, std::size_t last) {
    // Ties between equal successors are broken by position, so that they keep their order.
    std::vector<std::tuple<StateIndex, std::size_t, double, double>> sorted;
    for (std::size_t r = first; r < last; ++r) {
      const std::size_t begin = row_begin[r];
      const std::size_t end = row_begin[r + 1];
      if (std::is_sorted(next.data() + begin, next.data() + end)) continue;
      sorted.clear();
      for (std::size_t i = begin; i < end; ++i) {
        sorted.emplace_back(next[i], i, probability[i], cost[i]);
      }
      std::sort(sorted.begin(), sorted.end());
      for (std::size_t i = begin; i < end; ++i) {
        std::tie(next[i], std::ignore, probability[i], cost[i]) = sorted[i - begin];
      }
    }
  });
}

std::size_t Outcomes::longest_row() const {
  std::size_t longest = 0;
  for (std::size_t r = 0; r < rows(); ++r) {
    longest = std::max(longest, row_begin[r + 1] - row_begin[r]);
  }
  return longest;
}

double Outcomes::largest_cost() const {
  double largest = 0.0;
  for (const double c : cost) largest = std::max(largest, std::abs(c));
  return largest;
}

}  // namespace shortfall

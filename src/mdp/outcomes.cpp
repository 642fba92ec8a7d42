#include "shortfall/mdp/outcomes.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace shortfall {

void Outcomes::sort_rows() {
  std::vector<std::tuple<StateIndex, double, double>> sorted;
  for (std::size_t r = 0; r < rows(); ++r) {
    const std::size_t begin = row_begin[r];
    const std::size_t end = row_begin[r + 1];
    const auto first = next.begin() + static_cast<std::ptrdiff_t>(begin);
    if (std::is_sorted(first, next.begin() + static_cast<std::ptrdiff_t>(end))) continue;
    sorted.clear();
    for (std::size_t i = begin; i < end; ++i) sorted.emplace_back(next[i], probability[i], cost[i]);
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
      return std::get<StateIndex>(a) < std::get<StateIndex>(b);
    });
    for (std::size_t i = begin; i < end; ++i) {
      std::tie(next[i], probability[i], cost[i]) = sorted[i - begin];
    }
  }
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

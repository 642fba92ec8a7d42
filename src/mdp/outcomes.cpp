#include "shortfall/mdp/outcomes.hpp"

#include <algorithm>
#include <cmath>

namespace shortfall {

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

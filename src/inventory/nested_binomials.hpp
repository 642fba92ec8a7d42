#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shortfall/inventory/arrival.hpp"

namespace shortfall::inventory {

/// The multinomial law of a delivery Y = (Y_1, .., Y_m) of z units as binomials one inside the
/// other, from the freshest age down: of the r units that have at most i periods left,
///
///   Y_i ~ Binomial(r, p_i / (p_1 + .. + p_i)),   i = m, m-1, .., 2,   and Y_1 is the rest.
///
/// So an expectation over Y is m - 1 weighted averages, each of at most z + 1 terms: every one of
/// its terms passes through few additions, and its rounding error stays that of a short sum.
class NestedBinomials {
 public:
  /// The weights of first, first + 1, .., last; all others are 0. Three zeros follow, so that
  /// vectors of four may read on.
  struct Weights {
    const double* at_first = nullptr;
    std::size_t first = 0;
    std::size_t last = 0;
  };

  NestedBinomials(const Arrival& arrival, std::size_t max_order);

  std::size_t max_order() const { return max_order_; }

  /// The number of deliveries that z units can make.
  std::uint64_t deliveries(std::size_t z) const { return deliveries_[z]; }

  /// Of an order z: with_order(z)[(i - 2) · (max_order + 1) + r] are the weights of Y_i given r,
  /// i = 3..m. For i = 2 they are those of Y_1 = r - Y_2, whose stocks are neighbours in rank.
  const Weights* with_order(std::size_t z) const {
    return &weights_[z * levels_ * (max_order_ + 1)];
  }

 private:
  std::size_t max_order_;
  std::size_t levels_;  // m - 1
  std::vector<double> values_;
  std::vector<Weights> weights_;
  std::vector<std::uint64_t> deliveries_;
};

}  // namespace shortfall::inventory

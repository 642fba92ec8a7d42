#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shortfall/inventory/model/arrival.hpp"

namespace shortfall::inventory {

/// The multinomial law of a delivery Y = (Y_1, .., Y_m) of z units as nested binomials, from the
/// freshest age down: of the r units that have at most i periods left,
///
///   Y_i ~ Binomial(r, p_i / (p_1 + .. + p_i)),   i = m, m-1, .., 2,   and Y_1 is the rest.
///
/// So an expectation over Y is m - 1 weighted averages, each of at most z + 1 terms: every term
/// takes part in few additions, and the rounding error is that of a short sum.
class NestedBinomials {
 public:
  /// The weights of first, first + 1, .., last; all others are 0. Three zeros follow, so that
  /// vectors of four may read past the end.
  struct Weights {
    const double* at_first = nullptr;
    std::size_t first = 0;
    std::size_t last = 0;
  };

  NestedBinomials(const Arrival& arrival, std::size_t max_order);
  NestedBinomials(const NestedBinomials&) = delete;  // weights point into a vector of this object
  NestedBinomials& operator=(const NestedBinomials&) = delete;
  NestedBinomials(NestedBinomials&&) = default;
  NestedBinomials& operator=(NestedBinomials&&) = default;
  ~NestedBinomials() = default;

  /// One way to place units on the ages 3, 2 and 1: its weight, Y_3, and Y_3 (Y_3 - 1) / 2 + Y_1.
  /// With s = w_1 + w_2 + w_3 - x_3 the total of the two oldest ages if Y_3 were 0, its row is
  /// s (s + 1) / 2 - Y_3 s + rest beyond that of the fresher ages, up to x_1.
  struct Triple {
    double weight;
    std::uint32_t y_3;
    std::uint32_t rest;
  };

  /// All ways for r units of an order z, as one list: loops over it are long and well predicted,
  /// whereas nested loops end after two or three iterations.
  std::span<const Triple> triples(std::size_t z, std::size_t r) const {
    const std::size_t index = z * (max_order_ + 1) + r;
    return std::span(triples_).subspan(triple_begin_[index],
                                       triple_begin_[index + 1] - triple_begin_[index]);
  }

  std::size_t max_order() const { return max_order_; }

  /// Whether the weight of some delivery of z units is near the limits of double.
  bool has_tiny_weights(std::size_t z) const { return tiny_[z]; }

  /// Bound on the relative error of a delivery's weight: arrival probabilities and their ratios are
  /// off, and a binomial of r trials multiplies r of them, on each of m - 1 levels.
  double relative_error() const { return relative_error_; }

  /// log of a lower bound on the weights of deliveries, including those that are 0 in double.
  double least_log() const { return least_log_; }

  /// The number of possible deliveries of z units.
  std::uint64_t deliveries(std::size_t z) const { return deliveries_[z]; }

  /// The weights of Y_i given r, for an order z and i = 3..m. For i = 2 they are those of
  /// Y_1 = r - Y_2, whose stocks have consecutive ranks.
  const Weights& weights(std::size_t z, std::size_t i, std::size_t r) const {
    return weights_[(z * levels_ + i - 2) * (max_order_ + 1) + r];
  }

 private:
  void note_accuracy(std::size_t z, const Arrival::Extended& arrivals);
  void list_triples();

  std::size_t max_order_;
  std::size_t levels_;  // m - 1
  double relative_error_ = 0.0;
  double least_log_ = 0.0;
  std::vector<double> values_;
  std::vector<Weights> weights_;
  std::vector<std::uint64_t> deliveries_;
  std::vector<bool> tiny_;
  std::vector<Triple> triples_;
  std::vector<std::size_t> triple_begin_;
};

}  // namespace shortfall::inventory

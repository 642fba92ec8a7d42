#pragma once

#include <cstddef>
#include <vector>

namespace shortfall::inventory {

/// The shelf life of units when they arrive. Each unit of an order of z has i remaining periods
/// with probability p_i(z), i = 1..m, independently of the others given z:
///
///   p_i(z) ∝ exp(c0_i + c1_i z),   c0_1 = c1_1 = 0,
///
/// or all are fresh, p_m = 1.
class Arrival {
 public:
  /// Every unit arrives with the full shelf life m ≥ 1.
  static Arrival fresh(std::size_t shelf_life);

  /// The parameters of i = 2..m. Throws InvalidInput unless both have m - 1 finite entries.
  static Arrival logit(std::size_t shelf_life, std::vector<double> c0, std::vector<double> c1);

  std::size_t shelf_life() const { return shelf_life_; }
  bool is_fresh() const { return c0_.empty(); }

  /// (p_1(z), .., p_m(z)).
  std::vector<double> probabilities(std::size_t order) const;

  /// The same in extended precision, for products of many of them. An absolute error of a logit is
  /// a relative error of the probability, so extra digits are needed where c0 + c1 z cancels.
  struct Extended {
    std::vector<long double> probability;
    double relative_error;  ///< of each
    double least_log;       ///< log of the smallest
  };
  Extended extended_probabilities(std::size_t order) const;

 private:
  explicit Arrival(std::size_t shelf_life) : shelf_life_(shelf_life) {}

  std::size_t shelf_life_;
  std::vector<double> c0_;  // empty: fresh (also for m = 1, where there is no choice)
  std::vector<double> c1_;
};

}  // namespace shortfall::inventory

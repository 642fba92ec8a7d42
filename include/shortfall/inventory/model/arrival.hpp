#pragma once

#include <cstddef>
#include <vector>

namespace shortfall::inventory {

/// The shelf life of units when they arrive. Each unit of an order of z has i remaining periods
/// with probability p_i(z), i = 1..m, independently of the others given z. One of
///
///   fresh    p_m = 1;
///   shares   p_i whatever the order;
///   logit    p_i(z) ∝ exp(c0_i + c1_i z),   c0_1 = c1_1 = 0.
///
/// Shares that are all positive are the logit c0_i = log(p_i / p_1), c1 = 0.
class Arrival {
 public:
  /// Every unit arrives with the full shelf life m ≥ 1.
  static Arrival fresh(std::size_t shelf_life);

  /// The shares of units with 1, .., m periods left, rescaled to sum to one if their sum is within
  /// `probability_tolerance` of one; m is their number. Some may be zero. Throws InvalidInput
  /// otherwise, and for a negative share or none.
  static Arrival shares(std::vector<double> p);

  /// The parameters of i = 2..m. Throws InvalidInput unless both have m - 1 finite entries.
  static Arrival logit(std::size_t shelf_life, std::vector<double> c0, std::vector<double> c1);

  std::size_t shelf_life() const { return shelf_life_; }
  bool is_fresh() const { return shares_.empty() && c0_.empty(); }
  bool depends_on_order() const { return !c0_.empty(); }

  /// What shares() or logit() was given; empty for other laws.
  struct Parameters {
    std::vector<double> shares;
    std::vector<double> c0;
    std::vector<double> c1;
  };
  Parameters parameters() const { return {shares_, c0_, c1_}; }

  /// The number of shelf lives that a unit can have: i with p_i > 0.
  std::size_t possible_ages() const;

  /// (p_1(z), .., p_m(z)).
  std::vector<double> probabilities(std::size_t order) const;

  /// The same in extended precision, for products of many of them. An absolute error of a logit is
  /// a relative error of the probability, so extra digits are needed where c0 + c1 z cancels.
  struct Extended {
    std::vector<long double> probability;
    double relative_error;  ///< of each probability
    double least_log;       ///< log of the smallest that is not zero
  };
  Extended extended_probabilities(std::size_t order) const;

  bool operator==(const Arrival&) const = default;

 private:
  explicit Arrival(std::size_t shelf_life) : shelf_life_(shelf_life) {}

  Extended extended_shares() const;
  Extended extended_logits(std::size_t order) const;

  std::size_t shelf_life_;
  std::vector<double> shares_;  // as given
  std::vector<double> c0_;      // both empty: fresh (also for m = 1, where there is no choice)
  std::vector<double> c1_;
};

}  // namespace shortfall::inventory

#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "shortfall/inventory/fit/fit.hpp"

namespace shortfall::inventory::detail {

/// Units that were delivered together, by periods left.
struct Delivery {
  std::size_t weekday;
  double order;  ///< z
  double units;
  std::vector<double> by_age;
};

/// The deliveries of records that have units; the order is what was ordered, or else received.
std::vector<Delivery> deliveries_of(const Records& records);

/// The arrival part of fit_records().
ArrivalFit fit_arrival(const Records& records, std::size_t shelf_life,
                       std::vector<Warning>& warnings);

/// The multinomial logit p_i(z) ∝ exp(c0_i + c1_i z) with c0_1 = c1_1 = 0, by maximum likelihood.
/// The likelihood is concave. Ages that no unit had are given logits of -40 below the others.
struct ArrivalLogit {
  std::vector<Coefficient> c0;  ///< for 2..m periods left; intervals for dispersion 1
  std::vector<Coefficient> c1;
  double log_likelihood;
  std::size_t parameters;

  std::vector<double> shares(double order) const;  ///< by periods left 1..m
};
ArrivalLogit fit_arrival_logit(std::span<const Delivery> deliveries, std::size_t shelf_life);

}  // namespace shortfall::inventory::detail

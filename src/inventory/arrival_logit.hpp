#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "inventory/arrival_fit.hpp"

namespace shortfall::inventory::detail {

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

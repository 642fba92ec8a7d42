#pragma once

#include <string>
#include <vector>

#include "studies/study.hpp"

namespace shortfall::studies {

/// The largest distances over states, for one loss and γ, with V_T by the paper's formula for T so
/// large that γ^T is below rounding. A row of the table `values`, except for the last member.
struct DiscountRow {
  std::string loss = {};
  bool is_homogeneous = false;  ///< whether γ ρ(Y/γ) = ρ(Y): the loss is linear on each half-line
  double gamma = 0.0;
  double inside = 0.0;              ///< the value of the Bellman equation, in its largest state
  double outside = 0.0;             ///< V_T, there
  double from_bellman = 0.0;        ///< |V_T - V|
  double from_rescaled = infinity;  ///< |V_T - V| of the loss ℓ(·/γ); infinite: not computed
  double certified = 0.0;           ///< what the errors of all these numbers can amount to
  SHORTFALL_RECORD(loss, is_homogeneous, gamma, inside, outside, from_bellman, from_rescaled,
                   certified)
};

/// The result of the only part.
struct DiscountRows {
  std::vector<DiscountRow> rows = {};
  SHORTFALL_RECORD(rows)
};

Results conclude_discount(const std::vector<DiscountRows>& parts);

}  // namespace shortfall::studies

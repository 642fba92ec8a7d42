#pragma once

namespace shortfall::inventory::detail {

/// The 0.95-quantile of χ² with one degree of freedom, and its root, that of the normal law.
inline constexpr double chi_square_95 = 3.841458820694124;
inline constexpr double normal_975 = 1.959963984540054;

/// -log 0.05: no event on n days has probability 0.05 if 3.0 are expected (the "rule of three").
inline constexpr double rule_of_three = 2.995732273553991;

/// P(χ² > x) with the given degrees of freedom, for x ≥ 0. Check: 3.8415 and 1 give 0.05.
double chi_square_tail(double x, double degrees);

}  // namespace shortfall::inventory::detail

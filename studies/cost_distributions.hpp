#pragma once

#include <span>

#include "studies/study.hpp"

namespace shortfall::studies {

/// Quantile functions are given at 0, 1/200, .., 1.
inline constexpr int distribution_steps = 200;

/// For paired samples x_1, y_1, ..: `mean` of the difference and its `standard_error`.
Json mean_difference(std::span<const double> x, std::span<const double> y);
/// Var x - Var y, by the mean of (x - x̄)² - (y - ȳ)².
Json variance_difference(std::span<const double> x, std::span<const double> y);
/// P(x > bound) - P(y > bound).
Json exceedance_difference(std::span<const double> x, std::span<const double> y, double bound);
/// max |F_x - F_y|.
double kolmogorov_distance(std::span<const double> x, std::span<const double> y);

/// Results from the parts of figure-costs, one for each of the pictured costs.
Results conclude_costs(const std::vector<Json>& parts);

}  // namespace shortfall::studies

#pragma once

/// The shortfall risk of a distribution of costs: the m with E ℓ(X - m) = 0.
///
///   const std::vector<double> cost = {0.0, 10.0}, probability = {0.9, 0.1};
///   shortfall_risk(Expectile(0.9), Law{cost, probability});  // 5, where the mean is 1
///
/// A loss ℓ is increasing with ℓ(0) = 0. Built in are Mean, Expectile, Entropic, TruncatedEntropic,
/// SoftQuantile and Piecewise; any type with the functions of the concept Loss (risk/loss.hpp) is
/// one as well.

#include "shortfall/risk/any_loss.hpp"
#include "shortfall/risk/entropic.hpp"
#include "shortfall/risk/law.hpp"
#include "shortfall/risk/loss.hpp"
#include "shortfall/risk/piecewise_linear.hpp"
#include "shortfall/risk/shortfall_risk.hpp"

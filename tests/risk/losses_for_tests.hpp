#pragma once

#include <string>
#include <vector>

#include "shortfall/risk/any_loss.hpp"

namespace shortfall::testing {

/// One of each built-in kind, and more than one if the kind has several regimes: both sides of
/// τ = 1/2, κ on both sides of 1, small and large β, a piecewise loss that is convex, one that is
/// neither convex nor concave, and one without a knot at the origin.
inline std::vector<std::string> loss_specs() {
  return {"mean",
          "expectile:0.1",
          "expectile:0.5",
          "expectile:0.9",
          "entropic:0.001",
          "entropic:0.5",
          "entropic:3",
          "truncated-entropic:0.5,2",
          "truncated-entropic:2,1",
          "soft-quantile:0.2,2",
          "soft-quantile:0.5,0.5",
          "soft-quantile:0.8,2",
          "piecewise:-1:-0.5,0:0,1:2,3:9",
          "piecewise:-2:-3,-1:-2.5,0:0,1:0.2,4:8",
          "piecewise:-1:-1,1:1,2:4"};
}

inline std::vector<AnyLoss> all_losses() {
  std::vector<AnyLoss> losses;
  for (const auto& spec : loss_specs()) losses.push_back(AnyLoss::parse(spec));
  return losses;
}

}  // namespace shortfall::testing

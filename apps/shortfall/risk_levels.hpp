#pragma once

#include <string>
#include <vector>

#include "shortfall/risk/any_loss.hpp"

namespace shortfall::app {

/// An attitude to risk: one value of the parameter of a family of losses.
struct RiskLevel {
  double level;
  AnyLoss loss;
  bool is_chosen;  ///< the loss that was given
};

struct RiskLevels {
  std::string parameter;          ///< tau, beta or mu; empty where the loss has none
  std::vector<RiskLevel> levels;  ///< increasing; with the chosen one, which may be the only one
};

/// The losses to compare with the one given: tau of the expectile, of which the mean is 0.5, beta
/// of the entropic, mu of the soft quantile; their other parameters stay. `asked`: which levels;
/// where empty, some that suit. Throws InvalidInput for levels that the loss cannot have.
RiskLevels risk_levels(const AnyLoss& chosen, const std::vector<double>& asked);

}  // namespace shortfall::app

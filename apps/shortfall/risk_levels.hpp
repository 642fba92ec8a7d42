#pragma once

#include <string>
#include <vector>

#include "shortfall/risk/any_loss.hpp"

namespace shortfall::app {

/// An attitude to risk: one value of the parameter of a loss family.
struct RiskLevel {
  double level;
  AnyLoss loss;
  bool is_chosen;  ///< the given loss
};

struct RiskLevels {
  std::string parameter;          ///< tau, beta or mu; empty where the loss has none
  std::vector<RiskLevel> levels;  ///< increasing, including the chosen one
};

/// The losses to compare with the given one, by tau of the expectile (0.5 is the mean), beta of the
/// entropic loss or mu of the soft quantile; other parameters are kept. Default levels if
/// `requested` is empty. Throws InvalidInput for levels that the loss cannot have.
RiskLevels risk_levels(const AnyLoss& chosen, const std::vector<double>& requested);

}  // namespace shortfall::app

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shortfall/names/names.hpp"
#include "shortfall/risk/any_loss.hpp"

/// Attitudes to risk: what kind a loss expresses, and others to compare it with.
namespace shortfall {

/// One value of the parameter of a loss family.
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
/// `requested` is empty: 0.1, 0.3, .., 0.9 of tau and mu, and β/4, β/2, β, 2β. Throws InvalidField
/// "levels" for levels that the loss cannot have.
RiskLevels risk_levels(const AnyLoss& chosen, const std::vector<double>& requested);

/// Whether two losses have the same parameters, or are the mean and the expectile of level 0.5,
/// which is the mean. User-defined losses cannot be compared: false.
bool is_same_risk(const AnyLoss& a, const AnyLoss& b);

struct Attitude {
  enum class Kind { neutral, averse, seeking, other };
  Kind kind = Kind::other;
  /// How much more costs on one side of the risk count than on the other: τ / (1-τ) = 9 for the
  /// expectile of level 0.9, which is averse. None for other losses.
  std::optional<double> weight_ratio = {};
};
Attitude attitude_of(const AnyLoss& loss);
inline constexpr Names<Attitude::Kind, 4> attitude_names{{{"neutral", Attitude::Kind::neutral},
                                                          {"averse", Attitude::Kind::averse},
                                                          {"seeking", Attitude::Kind::seeking},
                                                          {"other", Attitude::Kind::other}}};

}  // namespace shortfall

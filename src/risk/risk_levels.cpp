#include "shortfall/risk/risk_levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <variant>

#include "shortfall/errors/error.hpp"

namespace shortfall {
namespace {

const std::vector<double> unit_interval_levels = {0.1, 0.3, 0.5, 0.7, 0.9};

/// The family of losses to which a loss belongs.
struct Family {
  std::string parameter = {};
  double level = 0.0;
  std::vector<double> default_levels = {};
  std::function<AnyLoss(double)> member = {};  ///< none: the loss belongs to no family
};

Family expectile_family(double tau) {
  return {"tau", tau, unit_interval_levels, [](double level) { return Expectile(level); }};
}
Family beta_family(double beta, std::function<AnyLoss(double)> member) {
  return {"beta", beta, {beta / 4.0, beta / 2.0, beta, 2.0 * beta}, std::move(member)};
}

Family family_of(const Mean&) {
  return expectile_family(0.5);
}
Family family_of(const Expectile& loss) {
  return expectile_family(loss.tau());
}
Family family_of(const Entropic& loss) {
  return beta_family(loss.beta(), [](double beta) { return Entropic(beta); });
}
Family family_of(const TruncatedEntropic& loss) {
  return beta_family(
      loss.beta(), [bound = loss.bound()](double beta) { return TruncatedEntropic(beta, bound); });
}
Family family_of(const SoftQuantile& loss) {
  return {"mu", loss.mu(), unit_interval_levels,
          [kappa = loss.kappa()](double mu) { return SoftQuantile(mu, kappa); }};
}
Family family_of(const Piecewise&) {
  return {};
}
Family family_of(const CustomLoss&) {
  return {};
}

bool is_close(double a, double b) {
  return std::abs(a - b) <= 1e-9 * std::abs(b);
}

}  // namespace

RiskLevels risk_levels(const AnyLoss& chosen, const std::vector<double>& requested) {
  const Family family =
      std::visit([](const auto& loss) { return family_of(loss); }, chosen.variant());
  RiskLevels result{family.parameter, {{family.level, chosen, true}}};
  if (!family.member) {
    if (requested.empty()) return result;
    throw InvalidField("levels",
                       fmt::format("the loss {} has no parameter to vary; accepted: mean, "
                                   "expectile, entropic, truncated-entropic, soft-quantile",
                                   chosen.to_string()));
  }
  for (const double level : requested.empty() ? family.default_levels : requested) {
    const bool is_there = std::ranges::any_of(
        result.levels, [&](const RiskLevel& other) { return is_close(other.level, level); });
    if (is_there) continue;
    try {
      result.levels.push_back({level, family.member(level), false});
    } catch (const InvalidInput& error) {
      throw InvalidField("levels", error.what());
    }
  }
  std::ranges::sort(result.levels, {}, &RiskLevel::level);
  return result;
}

bool is_same_risk(const AnyLoss& a, const AnyLoss& b) {
  if (std::holds_alternative<CustomLoss>(a.variant())) return false;
  const auto name_of = [](const AnyLoss& loss) {
    const auto* const expectile = std::get_if<Expectile>(&loss.variant());
    return expectile != nullptr && expectile->tau() == 0.5 ? AnyLoss(Mean()).to_string()
                                                           : loss.to_string();
  };
  return name_of(a) == name_of(b);
}

Attitude attitude_of(const AnyLoss& loss) {
  using enum Attitude::Kind;
  const auto& variant = loss.variant();
  if (is_same_risk(loss, Mean())) return {neutral};
  if (const auto* const expectile = std::get_if<Expectile>(&variant)) {
    const double tau = expectile->tau();
    return tau > 0.5 ? Attitude{averse, tau / (1.0 - tau)} : Attitude{seeking, (1.0 - tau) / tau};
  }
  const bool is_entropic = std::holds_alternative<Entropic>(variant) ||
                           std::holds_alternative<TruncatedEntropic>(variant);
  return {is_entropic ? averse : other};
}

}  // namespace shortfall

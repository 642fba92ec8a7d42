#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "shortfall/inventory/fit/records.hpp"
#include "shortfall/inventory/model/model.hpp"
#include "shortfall/inventory/plan/rules.hpp"

namespace shortfall::inventory {

/// The rule behind the orders of the records, if one of these is: fixed:N, base-stock:S or
/// reorder:s,S. The stock of each morning comes from a replay of the records (backtest.hpp), which
/// is uncertain on the first m - 1 days: they do not count, nor do days on which the plan allows no
/// orders. The agreement of a rule is the share of days with an order on which it orders the same,
/// or of days without one, whichever is smaller. A richer rule must agree better by more than 0.02.
struct RuleInUse {
  static constexpr double least_agreement = 0.8;

  std::optional<Rule> rule = {};  ///< none if none agrees on `least_agreement` of days
  double agreement = 0.0;         ///< of this rule, or of the closest one if there is none
  std::size_t days = 0;           ///< number of days that count
  std::string reason = {};        ///< why there is none, in words; empty if there is one
};
RuleInUse rule_in_use(const Model& model, const Records& records);

}  // namespace shortfall::inventory

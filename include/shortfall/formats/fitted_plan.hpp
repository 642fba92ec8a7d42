#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "shortfall/formats/inventory_toml.hpp"
#include "shortfall/formats/warning_words.hpp"
#include "shortfall/inventory/fit/fit.hpp"

namespace shortfall::io {

struct FittedPlanOptions {
  std::string records = "records";           ///< the name of the records in comments
  std::optional<std::size_t> capacity = {};  ///< none: inventory::suggested_capacity()
  std::optional<std::size_t> max_order = {};
  /// KEY=VALUE of [cost] and [risk], as in InventoryToml::set(). The rest has the values of
  /// inventory::usual_costs and usual_criterion().
  std::vector<std::string> set = {};
  OptionStyle style = OptionStyle::argument;  ///< of options in warnings and errors
};

/// A plan that `inventory solve` accepts as it is.
struct FittedPlan {
  std::string toml;  ///< the same as text, read back bit for bit; with comments
  InventoryConfiguration configuration;
  std::vector<std::string> placeholder_costs;  ///< as InventoryToml has them: all that were not set
  std::vector<std::string>
      warnings;  ///< those of the fit, and about the size of the plan, in words
};

/// Throws InvalidInput for a capacity or max_order that a model cannot have, a key other than those
/// of [cost] and [risk], and values that these cannot have.
FittedPlan fitted_plan(const inventory::Fit& fit, const FittedPlanOptions& options = {});

}  // namespace shortfall::io

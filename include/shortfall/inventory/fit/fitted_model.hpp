#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "shortfall/dp/solution.hpp"
#include "shortfall/inventory/fit/fit.hpp"
#include "shortfall/inventory/model/model.hpp"

namespace shortfall::inventory {

/// Costs and risk are not in the records. Until the planner gives others, a fitted plan has those
/// of the published study of platelets: 10 per order, 1 per unit held, 20 per unit short, 5 per
/// unit expired; the expectile at 0.9, with costs of the next day counting 0.99. The study has 0.6:
/// where units have a price, buying a day later would look 40 % cheaper, and too little be ordered.
inline constexpr Costs usual_costs{.order = 10.0, .holding = 1.0, .shortage = 20.0, .wastage = 5.0};
Criterion usual_criterion();

/// What records do not show.
struct FittedModelOptions {
  std::vector<Costs> cost = {usual_costs};
  std::size_t capacity = 1;
  std::optional<std::size_t> max_order = {};  ///< of days with orders; none: the capacity
};

/// The capacity that does not limit the best orders of the fitted model
/// (inventory/kernel/suggested_capacity.hpp).
std::size_t suggested_capacity(const Fit& fit, const std::vector<Costs>& cost,
                               const Criterion& criterion,
                               std::optional<std::size_t> max_order = {});

/// The demand above which a day has a chance of at most 1e-6, and no less than any fitted day had.
std::size_t suggested_max_demand(const Fit& fit);

/// The fitted model, in full precision: seven demands or arrivals where they differ by weekday, and
/// no orders on weekdays that have none. Throws InvalidInput for a capacity, max_order or costs
/// that a model cannot have.
ModelParts fitted_model(const Fit& fit, const FittedModelOptions& options = {});

}  // namespace shortfall::inventory

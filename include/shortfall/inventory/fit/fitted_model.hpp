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

/// A capacity that does not limit the best orders: the highest stock that these reach if nothing
/// perishes (see solve_non_perishable()), and above it a tenth, or the share of units that arrive
/// with one day left if that is more, and one unit.
///
/// That stock is looked for up to a limit, and if there are too many demands and stocks for a quick
/// solution, the limit is the answer: orders come every R = √(2 order / (holding · mean)) days, the
/// economic order quantity in days, rounded and within the shelf life, and must also last through
/// days without orders. The limit is the 0.995-quantile of demand over R order days, as if normal,
/// and a tenth more, at most `largest_capacity`.
std::size_t suggested_capacity(const Fit& fit, const std::vector<Costs>& cost,
                               const Criterion& criterion);

/// The largest of the orders that are best if nothing perishes and no order is too large; none if
/// there are too many demands and stocks for a quick solution.
std::optional<std::size_t> largest_useful_order(const Fit& fit, const std::vector<Costs>& cost,
                                                std::size_t capacity, const Criterion& criterion);

/// The demand above which a day has a chance of at most 1e-6, and no less than any fitted day had.
std::size_t suggested_max_demand(const Fit& fit);

/// The fitted model, in full precision: seven demands or arrivals where they differ by weekday, and
/// no orders on weekdays that have none. Throws InvalidInput for a capacity, max_order or costs
/// that a model cannot have.
ModelParts fitted_model(const Fit& fit, const FittedModelOptions& options = {});

}  // namespace shortfall::inventory

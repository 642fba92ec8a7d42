#include "shortfall/inventory/backtest.hpp"
#include "shortfall/inventory/fit.hpp"
#include "shortfall/inventory/fitted_model.hpp"

namespace shortfall::inventory {

Model refitted(const Model& plan, const Records& known) {
  const Fit fit = fit_records(known, {.shelf_life = plan.shelf_life()});
  ModelParts parts = fitted_model(fit, {.cost = plan.parts().cost, .capacity = plan.capacity()});
  parts.max_order = plan.parts().max_order;
  if (fit.arrival.law == ArrivalLaw::unknown) parts.arrival = plan.parts().arrival;
  return Model(std::move(parts));
}

}  // namespace shortfall::inventory

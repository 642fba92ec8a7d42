#include "report/simulation_rates.hpp"

namespace shortfall::report {

Json rates_of(const inventory::SimulationResult& r) {
  return {{"cost_per_period", r.cost_per_period},
          {"holding_cost_per_period", r.holding_cost_per_period},
          {"mean_order", r.mean_order},
          {"mean_stock", r.mean_stock},
          {"order_cost_per_period", r.order_cost_per_period},
          {"order_frequency", r.order_frequency},
          {"periods_short", r.periods_short},
          {"service_level", r.service_level},
          {"shortage_cost_per_period", r.shortage_cost_per_period},
          {"shortage_rate", r.shortage_rate},
          {"unit_cost_per_period", r.unit_cost_per_period},
          {"wastage_cost_per_period", r.wastage_cost_per_period},
          {"wastage_rate", r.wastage_rate},
          {"wasted_fraction", r.wasted_fraction}};
}

}  // namespace shortfall::report

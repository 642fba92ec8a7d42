#include "studies/stock_setting.hpp"

#include <fmt/format.h>

#include "published/platelets.hpp"

namespace shortfall::studies {

std::string cost_text(const inventory::Costs& cost) {
  return fmt::format("({},{},{},{})", cost.order, cost.holding, cost.shortage, cost.wastage);
}

std::string name_of(const StockSetting& setting) {
  const inventory::Costs& cost = setting.cost;
  return fmt::format("tau={},cost={}-{}-{}-{}", setting.tau, cost.order, cost.holding,
                     cost.shortage, cost.wastage);
}

Criterion criterion_of(double tau) {
  return {Expectile(tau), platelets_gamma};
}

std::vector<StockSetting> settings_of(const std::vector<double>& levels,
                                      const std::vector<inventory::Costs>& costs) {
  std::vector<StockSetting> settings;
  for (const double tau : levels) {
    for (const inventory::Costs& cost : costs) settings.push_back({tau, cost});
  }
  return settings;
}

std::vector<StockSetting> pictured_settings() {
  std::vector<StockSetting> settings;
  for (const inventory::Costs& cost : pictured_costs) {
    for (const double tau : pictured_levels) settings.push_back({tau, cost});
  }
  return settings;
}

}  // namespace shortfall::studies

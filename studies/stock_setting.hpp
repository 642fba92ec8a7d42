#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "published/platelets.hpp"
#include "shortfall/dp/solution.hpp"
#include "shortfall/inventory/model/model.hpp"

namespace shortfall::studies {

/// Platelets with given costs, under an expectile of level tau.
struct StockSetting {
  double tau;
  inventory::Costs cost;
};

/// "(10,1,20,5)": order, holding, shortage, wastage.
std::string cost_text(const inventory::Costs& cost);

/// "tau=0.1,cost=10-1-20-5", usable as the name of a part.
std::string name_of(const StockSetting& setting);

/// The expectile of this level with the published discount factor.
Criterion criterion_of(double tau);

/// All combinations, one level after the other.
std::vector<StockSetting> settings_of(const std::vector<double>& levels,
                                      const std::vector<inventory::Costs>& costs);

/// Costs of the figures: usual, expensive orders, expensive wastage.
inline constexpr std::array<inventory::Costs, 3> pictured_costs{
    {published_cost(10, 1, 20, 5), published_cost(50, 1, 20, 5), published_cost(10, 1, 20, 50)}};

/// Levels of the figures: risk-seeking, risk-neutral, risk-averse.
inline constexpr std::array pictured_levels{0.1, 0.5, 0.9};

/// Settings of the figures, by costs: those of the i-th costs are 3 i, .., 3 i + 2.
std::vector<StockSetting> pictured_settings();

}  // namespace shortfall::studies

#pragma once

#include "formats/setting_reader.hpp"
#include "shortfall/inventory/model/model.hpp"
#include "shortfall/risk/any_loss.hpp"

/// Read and check the parts of a configuration. All throw InvalidInput that names the location of
/// the problem.
namespace shortfall::io {

/// Without a capacity, it is the largest one.
inventory::ModelParts read_parts(const SettingReader& settings);

/// One law, or seven.
std::vector<inventory::Arrival> read_arrival(const SettingReader& settings, std::size_t shelf_life);

/// One distribution, or seven if any of its parameters has seven values.
std::vector<std::vector<double>> read_demand(const SettingReader& settings);

/// One set of costs, or seven if any of them has seven values. Keys that are missing have the
/// values of `otherwise`; without it they are required, but for the cost of a unit.
std::vector<inventory::Costs> read_costs(const SettingReader& settings,
                                         const inventory::Costs* otherwise = nullptr);

/// The names of costs that are placeholders, in the order of `cost_names`.
std::vector<std::string> read_placeholder_costs(const SettingReader& settings);

AnyLoss read_loss(const SettingReader& settings);
double read_gamma(const SettingReader& settings);

}  // namespace shortfall::io

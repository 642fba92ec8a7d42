#pragma once

#include "io/setting_reader.hpp"
#include "shortfall/inventory/model.hpp"
#include "shortfall/risk/any_loss.hpp"

/// What a configuration is made of, each read from its tables and checked. All throw InvalidInput
/// that names the place of what is wrong.
namespace shortfall::io {

inventory::ModelParts read_parts(const SettingReader& settings);

/// One law, or seven where any of its parameters has seven values.
std::vector<std::vector<double>> read_demand(const SettingReader& settings);

AnyLoss read_loss(const SettingReader& settings);
double read_gamma(const SettingReader& settings);

}  // namespace shortfall::io

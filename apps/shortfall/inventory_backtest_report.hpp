#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "shortfall/inventory/backtest.hpp"

/// The output of `inventory backtest`.
namespace shortfall::app {

/// Keys of the back-test, added to the document of the instance.
void add_backtest(nlohmann::json& document, const inventory::Backtest& result);

/// A table of the policies, and the warnings.
std::string backtest_text(const inventory::Backtest& result);

/// One row per policy and day.
std::string backtest_csv(const inventory::Backtest& result);

}  // namespace shortfall::app

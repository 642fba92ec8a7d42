#pragma once

#include <array>
#include <filesystem>
#include <string>

#include "report/plan_report.hpp"
#include "report/rows.hpp"

/// A complete plan as HTML page and CSV; web/README.md describes the keys.
namespace shortfall::report {

/// The page, which has more data: the conclusions, the values of all stocks, so that it can answer
/// for any of them, and the orders of the planner's own rules.
std::string html_of(const PlanDocument& document);

/// The files that write_csv() may write.
inline constexpr std::array<const char*, 9> plan_tables = {
    "levels.csv",          "policies.csv", "costs.csv",  "demand.csv",         "arrival.csv",
    "orders_by_total.csv", "backtest.csv", "orders.csv", "recorded_demand.csv"};

/// Writes the tables of the plan to an existing directory, and the orders as orders.csv.
void write_csv(const std::filesystem::path& directory, const PlanDocument& document);

}  // namespace shortfall::report

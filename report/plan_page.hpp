#pragma once

#include <filesystem>
#include <string>

#include "report/rows.hpp"
#include "shortfall/inventory/plan.hpp"

/// A complete plan as JSON, HTML page and CSV; web/README.md describes the keys.
namespace shortfall::report {

/// `source` says where the stock is described, such as the name of a configuration file.
Json json_of(const inventory::Plan& plan, const std::string& source);

/// The page, with the conclusions in its data.
std::string html_of(const inventory::Plan& plan, const std::string& source);

/// Writes the tables of the plan to an existing directory, and the orders as orders.csv.
void write_csv(const std::filesystem::path& directory, const inventory::Plan& plan);

}  // namespace shortfall::report

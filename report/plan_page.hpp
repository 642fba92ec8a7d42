#pragma once

#include <filesystem>
#include <string>

#include "report/rows.hpp"
#include "shortfall/inventory/plan.hpp"
#include "shortfall/inventory/plan_records.hpp"

/// A complete plan as JSON, HTML page and CSV; web/README.md describes the keys.
namespace shortfall::report {

/// What the page is about. Empty texts are not shown.
struct PlanHeader {
  std::string source;    ///< where the stock is described, such as the name of a file
  std::string product;   ///< "Platelets, group O"
  std::string currency;  ///< "EUR"
  std::string date;      ///< of the page, as it was given: the same input gives the same bytes
};

/// A plan, and if there are records what they say about it.
struct PlanDocument {
  const inventory::Plan& plan;
  PlanHeader header;
  const inventory::PlanRecords* records = nullptr;  ///< null: none
};

Json json_of(const PlanDocument& document);

/// The page, which has more data: the conclusions, the values of all stocks, so that it can answer
/// for any of them, and the orders of the planner's own rules.
std::string html_of(const PlanDocument& document);

/// Writes the tables of the plan to an existing directory, and the orders as orders.csv.
void write_csv(const std::filesystem::path& directory, const PlanDocument& document);

}  // namespace shortfall::report

#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/inventory_command.hpp"
#include "report/inventory_results.hpp"
#include "shortfall/inventory/kernel/baselines.hpp"

/// Parts of the output of the inventory commands.
namespace shortfall::app {

/// The instance: sizes, loss and gamma, and `set` for a point of a sweep.
nlohmann::json as_json(const InventoryPoint& point);

/// Adds the fields of a result (report/inventory_fields.hpp).
template <class Result>
void add_result(nlohmann::json& document, const Result& result) {
  document.update(nlohmann::json(report::document_of(result)));
}

/// By day: reorder_at and order_up_to, or null where orders do not have this form.
nlohmann::json levels_as_json(const inventory::NonPerishable& non_perishable);

/// "order up to 14 when 5 or fewer are left", by day where there are seven.
std::string levels_as_text(const inventory::NonPerishable& non_perishable);

/// "(5,14)", never, or other, for each day.
std::string short_levels_as_text(const inventory::NonPerishable& non_perishable);

/// The instance in two lines of text, with a star for each swept value.
std::string heading(const InventoryOptions& options, const InventoryPoint& point);

/// One document: for the single point, or for all points of a sweep.
nlohmann::json document_of(const InventoryOptions& options, std::vector<nlohmann::json> points,
                           double seconds, const Processes& processes = {});

/// A value, and its certified error bound.
struct Certified {
  double value;
  double error_bound;
};

/// By how many percent a cost exceeds the optimum, or 0, and how far that may be from exact.
struct Gap {
  double percent;
  double error_percent;
};
Gap gap_of(const Certified& cost, const Certified& optimum);

/// Success if all converged; otherwise prints the reason to standard error.
ExitCode exit_code_of(const InventoryOptions& options, const std::vector<Outcome>& outcomes);

/// Mon, .., Sun.
const char* day_name(std::size_t day);

}  // namespace shortfall::app

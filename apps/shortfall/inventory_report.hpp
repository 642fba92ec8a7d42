#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "command.hpp"
#include "inventory_command.hpp"
#include "shortfall/inventory/baselines.hpp"

/// Parts of what the commands of an inventory report.
namespace shortfall::app {

/// The instance: sizes, loss and gamma, and `set` where it is a point of a sweep.
nlohmann::json as_json(const InventoryPoint& point);

/// Adds what a solver found at the empty stock of the first day, and how far it got.
void add_solution(nlohmann::json& document, const Solution& solution, double seconds);

/// By day: reorder_at and order_up_to, null where orders do not have this shape.
nlohmann::json levels_as_json(const inventory::NonPerishable& non_perishable);

/// "order up to 14 once 5 or fewer are left", by day where there are seven.
std::string levels_as_text(const inventory::NonPerishable& non_perishable);

/// "(5,14)", never, or other, for each day.
std::string short_levels_as_text(const inventory::NonPerishable& non_perishable);

/// Two lines for people: what the instance is, with a star for what is swept.
std::string heading(const InventoryOptions& options, const InventoryPoint& point);

/// One document: that of the single point, or all points of a sweep.
nlohmann::json document_of(const InventoryOptions& options, std::vector<nlohmann::json> points,
                           double seconds);

/// The worst of them decides; what keeps it from success is said on standard error.
ExitCode exit_code_of(const InventoryOptions& options, const std::vector<Status>& outcomes);

/// The least and the largest order over all stocks of a total, on a day.
struct OrderRange {
  ActionIndex least;
  ActionIndex most;
};
OrderRange order_range(const inventory::Model& model, const Policy& orders, std::size_t day,
                       std::size_t total);

/// Mon, .., Sun.
const char* day_name(std::size_t day);

}  // namespace shortfall::app

#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/inventory_command.hpp"
#include "shortfall/inventory/baselines.hpp"

/// Parts of the output of the inventory commands.
namespace shortfall::app {

/// The instance: sizes, loss and gamma, and `set` for a point of a sweep.
nlohmann::json as_json(const InventoryPoint& point);

/// Adds the value at the empty stock of the first day, its error bound, and the work done.
void add_solution(nlohmann::json& document, const Solution& solution, double seconds);

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

/// How a solve or an evaluation ended.
struct Outcome {
  Status status = Status::converged;
  double error_bound = 0.0;
};

/// Success if all converged; otherwise prints the reason to standard error.
ExitCode exit_code_of(const InventoryOptions& options, const std::vector<Outcome>& outcomes);

/// Mon, .., Sun.
const char* day_name(std::size_t day);

}  // namespace shortfall::app

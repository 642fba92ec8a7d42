#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/shortfall/inventory_command.hpp"
#include "apps/shortfall/text_table.hpp"
#include "shortfall/inventory/simulate.hpp"

namespace shortfall::app {

/// Simulation results of several policies side by side, each compared with the first.
class SimulationReport {
 public:
  explicit SimulationReport(std::vector<double> quantiles) : quantiles_(std::move(quantiles)) {}

  void add(const InventoryPoint& point, const std::string& policy,
           inventory::SimulationResult result);

  nlohmann::json last_as_json() const;
  std::string text() const;

 private:
  /// Difference of the mean discounted cost from the first column, paired by replication because
  /// all columns use identical random draws.
  struct Difference {
    double mean = 0.0;
    double standard_error = 0.0;
  };
  struct Column {
    std::vector<std::string> names;  ///< the policy, then the swept values
    inventory::SimulationResult result;
    std::vector<double> quantiles;
    Difference difference;
  };
  Difference difference_from_first(const std::vector<double>& cost) const;
  template <class Cell>
  void add_row(TextTable& table, const std::string& name, const Cell& cell) const;
  void add_discounted_cost(TextTable& table) const;
  void add_rates(TextTable& table) const;
  void add_stock_by_age(TextTable& table) const;

  std::vector<double> quantiles_;
  std::vector<std::string> keys_;  // swept keys
  std::vector<Column> columns_;
  std::vector<double> first_cost_;
};

}  // namespace shortfall::app

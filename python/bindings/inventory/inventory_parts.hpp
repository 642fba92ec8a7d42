#pragma once

#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "bindings/arrays.hpp"
#include "bindings/interruptible.hpp"
#include "shortfall/formats/inventory_toml.hpp"
#include "shortfall/formats/records_csv.hpp"
#include "shortfall/inventory/train/feature_set.hpp"

/// Shared by the files that bind the inventory.
namespace shortfall::python {

/// The Python class Inventory: a model and the criterion for its policies.
class Inventory {
 public:
  /// `source` says where the stock is described: a file name, or nothing.
  explicit Inventory(io::InventoryConfiguration configuration, std::string source = {},
                     std::vector<std::string> placeholder_costs = {})
      : configuration_(std::move(configuration)),
        source_(std::move(source)),
        placeholder_costs_(std::move(placeholder_costs)) {}

  const inventory::Model& model() const { return configuration_.model; }
  const Criterion& criterion() const { return configuration_.criterion; }
  const io::InventoryConfiguration& configuration() const { return configuration_; }
  const std::string& source() const { return source_; }
  const std::vector<std::string>& placeholder_costs() const { return placeholder_costs_; }

  /// x_1, .., x_{m-1} of every stock, by rank. Computed at the first call; needs the interpreter
  /// lock.
  const std::vector<std::uint8_t>& stocks() const;

  /// The number of a state. Throws InvalidInput for a stock that this inventory cannot have, and
  /// for a day outside 0..days-1.
  std::size_t index(std::span<const std::int64_t> stock, std::int64_t day) const;

  /// Orders by state. Throws InvalidInput unless each of them is feasible.
  Policy checked_orders(const Integers& orders) const;

 private:
  io::InventoryConfiguration configuration_;
  std::string source_;
  std::vector<std::string> placeholder_costs_;
  mutable std::vector<std::uint8_t> stocks_;
};

/// Results share ownership of their inventory.
using InventoryPointer = std::shared_ptr<const Inventory>;

/// The Python class InventorySolution: a solution and its inventory.
struct InventorySolution {
  InventoryPointer inventory;
  Solution solution;
};

/// Converts a count. Throws InvalidInput if it is negative.
inline std::size_t count_of(const char* name, std::int64_t value) {
  if (value >= 0) return static_cast<std::size_t>(value);
  throw InvalidInput(fmt::format("{} = {}; accepted: whole numbers from 0", name, value));
}

/// How a file of records is read: headings such as {"demand": "Bedarf"}, and a name of an order of
/// dates. Throws InvalidInput for others.
io::RecordsOptions reading_of(const pybind11::dict& columns, const std::string& dates);

/// Throws InvalidInput for features that parse_feature_set does not read.
inventory::FeatureSet feature_set_of(const std::string& features);

void bind_inventory_class(pybind11::module_& module);
void bind_inventory_pickling(pybind11::module_& module);
void bind_inventory_solve(pybind11::module_& module);
void bind_inventory_baselines(pybind11::module_& module);
void bind_orders(pybind11::module_& module);
void bind_backtest(pybind11::module_& module);
void bind_simulation(pybind11::module_& module);
void bind_records(pybind11::module_& module);
void bind_report(pybind11::module_& module);
void bind_own_learning(pybind11::module_& module);
void bind_episode(pybind11::module_& module);
void bind_training_results(pybind11::module_& module);

/// KEY=VALUE in TOML syntax, of a dict of settings.
std::vector<std::string> assignments_of(const pybind11::dict& set);

/// Inventory.from_toml.
std::shared_ptr<Inventory> read_inventory(const std::string& path, const pybind11::dict& set);

}  // namespace shortfall::python

#pragma once

#include <pybind11/stl.h>

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "arrays.hpp"
#include "interruptible.hpp"
#include "shortfall/io/inventory_toml.hpp"

/// What the files that bind the inventory share.
namespace shortfall::python {

/// An inventory as Python has it: a model, and what its policies are judged by.
class Inventory {
 public:
  explicit Inventory(io::InventoryConfiguration configuration)
      : configuration_(std::move(configuration)) {}

  const inventory::Model& model() const { return configuration_.model; }
  const Criterion& criterion() const { return configuration_.criterion; }

  /// x_1, .., x_{m-1} of every stock, one after the other by rank. Made when first asked for, which
  /// must be with the interpreter.
  const std::vector<std::uint8_t>& stocks() const;

  /// The number of a state. Throws InvalidInput for a stock that is none of this inventory, and for
  /// a day outside 0..days-1.
  std::size_t index(std::span<const std::int64_t> stock, std::int64_t day) const;

  /// Orders by state. Throws InvalidInput unless each of them is feasible.
  Policy checked_orders(const Integers& orders) const;

 private:
  io::InventoryConfiguration configuration_;
  mutable std::vector<std::uint8_t> stocks_;
};

/// Results look at the inventory that they are of, and keep it.
using InventoryPointer = std::shared_ptr<const Inventory>;

/// A whole number that cannot be negative. Throws InvalidInput where it is.
inline std::size_t count_of(const char* name, std::int64_t value) {
  if (value >= 0) return static_cast<std::size_t>(value);
  throw InvalidInput(fmt::format("{} = {}; accepted: whole numbers from 0", name, value));
}

void bind_inventory_class(pybind11::module_& module);
void bind_inventory_solve(pybind11::module_& module);
void bind_inventory_baselines(pybind11::module_& module);
void bind_simulation(pybind11::module_& module);
void bind_training_results(pybind11::module_& module);

/// Inventory.from_toml.
std::shared_ptr<Inventory> read_inventory(const std::string& path, const pybind11::dict& set);

}  // namespace shortfall::python

#pragma once

#include <pybind11/pybind11.h>

#include <cstddef>
#include <vector>

#include "shortfall/inventory/model/model.hpp"

/// The parts of an inventory as Python gives them: each once, or as a list of seven. All throw
/// InvalidInput that says what is accepted, or TypeError for what is no number.
namespace shortfall::python {

std::vector<std::vector<double>> demand_of(const pybind11::object& demand);

/// From shares, or from logits (c0, c1), or fresh if both are None.
std::vector<inventory::Arrival> arrivals_of(std::size_t shelf_life, const pybind11::object& shares,
                                            const pybind11::object& logits);

std::vector<inventory::Costs> costs_of(const pybind11::dict& cost);

/// None: the capacity.
std::vector<std::size_t> max_orders_of(const pybind11::object& max_order, std::size_t capacity);

/// And back: a number, or a tuple of seven if they differ.
pybind11::dict cost_dictionary(const inventory::Model& model);
pybind11::object max_order_of(const inventory::Model& model);

}  // namespace shortfall::python

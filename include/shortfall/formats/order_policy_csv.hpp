#pragma once

#include <string>

#include "shortfall/inventory/model/model.hpp"

/// Orders of an inventory as CSV: columns `x1,..,x{m-1},order`, one row per stock, where x_i units
/// have i periods left. With seven demand distributions, a column `day` comes first, from 0 for
/// Monday to 6 for Sunday. With a shelf life of 1 there is no stock column.
namespace shortfall::io {

/// Columns and rows may be in any order. Throws InvalidInput that names the file, the line and what
/// is accepted: a column that is missing or unknown, a stock above the capacity, a stock that
/// repeats another line, an order that does not fit, a stock without a row.
Policy read_order_policy_csv(const std::string& path, const inventory::Model& model);

/// Rows are in the order of the model's states. Throws InvalidInput if `orders` do not fit the
/// model, OutputError if the file cannot be written.
void write_order_policy_csv(const std::string& path, const inventory::Model& model,
                            const Policy& orders);

}  // namespace shortfall::io

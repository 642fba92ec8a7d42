#pragma once

#include <string>

#include "shortfall/inventory/model.hpp"

/// Orders of an inventory as CSV: columns `x1,..,x{m-1},order`, one row for each stock, where x_i
/// units have i periods left. Where there are seven laws of demand a column `day` comes first, from
/// 0 for Monday to 6 for Sunday. A shelf life of 1 has no column of stock.
namespace shortfall::io {

/// Columns and rows in any order. Throws InvalidInput that names the file, the line and what is
/// accepted: a column that is missing or not known, a stock above the capacity, a stock that
/// repeats that of another line, an order above what fits, a stock without row.
Policy read_order_policy_csv(const std::string& path, const inventory::Model& model);

/// Rows in the order of the model's states. Throws InvalidInput where `orders` do not fit the
/// model, OutputError where the file cannot be written.
void write_order_policy_csv(const std::string& path, const inventory::Model& model,
                            const Policy& orders);

}  // namespace shortfall::io

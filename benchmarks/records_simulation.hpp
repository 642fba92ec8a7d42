#pragma once

#include <cstddef>
#include <cstdint>

#include "shortfall/inventory/fit/records.hpp"
#include "shortfall/inventory/model/model.hpp"

namespace shortfall::benchmarks {

/// The records that a hospital with this model would keep for `days` days from a Monday on, if it
/// orders up to a level every day. Where demand is as much as the stock or more, only the stock is
/// recorded, as a stock-out.
inventory::Records simulated_records(const inventory::Model& model, std::size_t order_up_to,
                                     std::size_t days, std::uint64_t seed);

}  // namespace shortfall::benchmarks

#pragma once

#include <cstdint>
#include <vector>

#include "shortfall/inventory/model.hpp"
#include "shortfall/inventory/records.hpp"

namespace shortfall::inventory {

/// The row of each calendar day from the first to the last; null: closed.
std::vector<const DayRecord*> calendar_of(const Records& records);

/// The smallest stock on the first morning that explains the first m - 1 days. Demand that was met
/// on day k beyond what earlier days left was met by a unit with at least k periods left. A unit
/// with exactly k is enough: the oldest are used first, so that it is there on day k or has saved
/// another one that is. Units wasted on day k beyond those that expire in the replay had k periods
/// left. The total may exceed the capacity.
std::vector<std::uint32_t> recorded_start(const Model& model,
                                          const std::vector<const DayRecord*>& calendar);

}  // namespace shortfall::inventory

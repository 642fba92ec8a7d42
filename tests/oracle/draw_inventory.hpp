#pragma once

#include "case.hpp"
#include "draw_stock.hpp"
#include "random.hpp"

namespace oracle {

/// `inventory solve`, `evaluate` or `train` on a small, numerically difficult stock.
Case draw_inventory_case(Random& random, const KnownKeys& known);

}  // namespace oracle

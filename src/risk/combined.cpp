#include "shortfall/risk/combined.hpp"

#include <fmt/format.h>

#include <cmath>

#include "shortfall/errors/error.hpp"

namespace shortfall::detail {

double checked_factor(double factor) {
  if (factor > 0.0 && std::isfinite(factor)) return factor;
  throw InvalidInput(fmt::format("factor {} of a loss; accepted: a number > 0", factor));
}

}  // namespace shortfall::detail

#include "shortfall/features/feature_map.hpp"

#include <fmt/format.h>

#include <cmath>

#include "shortfall/errors/error.hpp"

namespace shortfall::features::detail {

void throw_not_finite(std::span<const double> phi) {
  std::size_t j = 0;
  while (j < phi.size() && std::isfinite(phi[j])) ++j;
  throw InvalidInput(fmt::format("feature {} is {}; accepted: a finite number", j + 1, phi[j]));
}

}  // namespace shortfall::features::detail

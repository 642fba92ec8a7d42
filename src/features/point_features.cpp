#include "shortfall/features/point_features.hpp"

#include <fmt/format.h>

#include <cmath>

#include "errors/require.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/features/feature_map.hpp"

namespace shortfall::features::detail {

void throw_coordinates(std::size_t found, std::size_t accepted) {
  throw InvalidInput(fmt::format("a point with {} coordinates; accepted: {}", found, accepted));
}

void check_point(std::span<const double> x) {
  for (std::size_t j = 0; j < x.size(); ++j) {
    require(std::isfinite(x[j]), "coordinate {} is {}; accepted: a finite number", j + 1, x[j]);
  }
}

void check_box(std::span<const double> low, std::span<const double> high) {
  require(!low.empty() && low.size() <= max_coordinates && low.size() == high.size(),
          "a box with {} lower and {} upper ends; accepted: the same number, 1 to {}", low.size(),
          high.size(), max_coordinates);
  for (std::size_t j = 0; j < low.size(); ++j) {
    require(std::isfinite(high[j] - low[j]) && low[j] < high[j],
            "coordinate {} from {} to {}; accepted: finite ends, the first below the second", j + 1,
            low[j], high[j]);
  }
}

std::size_t checked_product(std::span<const std::size_t> counts, const char* what) {
  std::size_t product = 1;
  for (std::size_t j = 0; j < counts.size(); ++j) {
    require(counts[j] >= 1, "{} {} in coordinate {}; accepted: at least 1", counts[j], what, j + 1);
    require(counts[j] <= most_features / product, "more than {} features; accepted: fewer {}",
            most_features, what);
    product *= counts[j];
  }
  return product;
}

void throw_not_finite(std::span<const double> phi) {
  std::size_t j = 0;
  while (j < phi.size() && std::isfinite(phi[j])) ++j;
  throw InvalidInput(fmt::format("feature {} is {}; accepted: a finite number", j + 1, phi[j]));
}

}  // namespace shortfall::features::detail

#include "shortfall/features/sparse_features.hpp"

#include <fmt/format.h>

#include <cmath>

#include "require.hpp"
#include "shortfall/error.hpp"

namespace shortfall::features::detail {

void throw_not_sparse(SparseFeatures phi, std::size_t dimension, std::string_view what) {
  require(phi.index.size() == phi.value.size(),
          "{} indices with {} values; accepted: one value for each index", phi.index.size(),
          phi.value.size());
  for (std::size_t k = 0; k < phi.size(); ++k) {
    require(phi.index[k] < dimension, "the index {} of a {}; accepted: 0 to {}", phi.index[k], what,
            dimension - 1);
    require(k == 0 || phi.index[k] > phi.index[k - 1],
            "the index {} of a {} after {}; accepted: indices that ascend", phi.index[k], what,
            phi.index[std::max<std::size_t>(k, 1) - 1]);
  }
  throw InvalidInput("active features; accepted: indices that ascend");
}

void throw_not_averager(SparseFeatures phi, std::string_view what) {
  double sum = 0.0;
  std::size_t largest = 0;
  for (std::size_t k = 0; k < phi.size(); ++k) {
    const double value = phi.value[k];
    require(std::isfinite(value), "{} {} is {}; accepted: a finite number", what, phi.index[k] + 1,
            value);
    require(value >= 0.0, "{} {} is {}; accepted by averagers: {}", what, phi.index[k] + 1, value,
            accepted_by_averagers);
    sum += value;
    if (value > phi.value[largest]) largest = k;
  }
  throw InvalidInput(
      fmt::format("{}s sum to {}, the largest is {} {}: {}; accepted by averagers: {}", what, sum,
                  what, phi.index[largest] + 1, phi.value[largest], accepted_by_averagers));
}

}  // namespace shortfall::features::detail

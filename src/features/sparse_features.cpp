#include "shortfall/features/sparse_features.hpp"

#include <fmt/format.h>

#include <cmath>

#include "errors/require.hpp"
#include "shortfall/errors/error.hpp"

namespace shortfall::features {

bool is_averager(std::span<const double> values) {
  double sum = 0.0;
  double lowest = 0.0;
  for (const double value : values) {
    lowest = value < lowest ? value : lowest;
    sum += value;  // NaN stays
  }
  if (lowest < 0.0) return false;
  if (sum <= 1.0 + averager_slack(0)) return true;
  std::size_t active = 0;
  for (const double value : values) active += value != 0.0 ? 1 : 0;
  return sum <= 1.0 + averager_slack(active);
}

/// Averagers call this twice per update: one loop, without branches.
bool is_averager(const SparseFeatures& phi, std::size_t dimension) {
  if (phi.index.size() != phi.value.size()) return false;
  double sum = 0.0;
  double lowest = 0.0;
  std::size_t least = 0;
  bool ascends = true;
  for (std::size_t k = 0; k < phi.index.size(); ++k) {
    const std::size_t i = phi.index[k];
    ascends = ascends && i >= least && i < dimension;
    least = i + 1;
    lowest = phi.value[k] < lowest ? phi.value[k] : lowest;
    sum += phi.value[k];
  }
  if (!ascends || lowest < 0.0) return false;
  return sum <= 1.0 + averager_slack(0) || is_averager(phi.value);
}

void check_sparse(const SparseFeatures& phi, std::size_t dimension, std::string_view what) {
  require(phi.index.size() == phi.value.size(),
          "{} indices with {} values; accepted: one value for each index", phi.index.size(),
          phi.value.size());
  for (std::size_t k = 0; k < phi.size(); ++k) {
    require(phi.index[k] < dimension, "the index {} of a {}; accepted: 0 to {}", phi.index[k], what,
            dimension - 1);
    require(k == 0 || phi.index[k] > phi.index[k - 1],
            "the index {} of a {} after {}; accepted: increasing indices", phi.index[k], what,
            k == 0 ? 0 : phi.index[k - 1]);
  }
}

void check_averager(const SparseFeatures& phi, std::string_view what) {
  if (is_averager(phi.value)) return;
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

}  // namespace shortfall::features

#include "shortfall/features/normalised.hpp"

#include <algorithm>
#include <cmath>

#include "errors/require.hpp"

namespace shortfall::features {
namespace {

struct Column {
  const Dense& sample;
  std::size_t j;
  double at(std::size_t i) const { return sample.row(i)[j]; }
};

bool is_constant(const Column& column) {
  double lowest = column.at(0);
  double highest = lowest;
  for (std::size_t i = 1; i < column.sample.states(); ++i) {
    lowest = std::min(lowest, column.at(i));
    highest = std::max(highest, column.at(i));
  }
  return highest - lowest <= constant_tolerance * std::max(std::abs(lowest), std::abs(highest));
}

double mean(const Column& column) {
  const auto n = static_cast<double>(column.sample.states());
  double sum = 0.0;
  for (std::size_t i = 0; i < column.sample.states(); ++i) sum += column.at(i) / n;
  return sum;
}

/// In two passes: the mean of squares minus the square of the mean would cancel. By hypot, because
/// squares of large features would overflow.
double deviation(const Column& column, double mean) {
  double norm = 0.0;
  for (std::size_t i = 0; i < column.sample.states(); ++i) {
    norm = std::hypot(norm, column.at(i) - mean);
  }
  return norm / std::sqrt(static_cast<double>(column.sample.states()));
}

}  // namespace

Scaling fit_scaling(const Dense& sample) {
  require(sample.states() != 0, "a sample of 0 rows; accepted: one or more");
  const std::size_t d = sample.dimension();
  Scaling scaling{std::vector<double>(d, 0.0), std::vector<double>(d, 1.0)};
  for (std::size_t j = 0; j < d; ++j) {
    const Column column{sample, j};
    if (is_constant(column)) continue;
    scaling.shift[j] = mean(column);
    scaling.scale[j] = deviation(column, scaling.shift[j]);
  }
  return scaling;
}

void detail::check_scaling(const Scaling& scaling, std::size_t dimension) {
  const auto& [shift, scale] = scaling;
  require(shift.size() == dimension && scale.size() == dimension,
          "{} shifts and {} scales; accepted: one of each for {} features", shift.size(),
          scale.size(), dimension);
  for (std::size_t j = 0; j < dimension; ++j) {
    require(std::isfinite(shift[j]), "the shift of feature {} is {}; accepted: a finite number",
            j + 1, shift[j]);
    require(scale[j] > 0.0 && std::isfinite(scale[j]),
            "the scale of feature {} is {}; accepted: a number > 0", j + 1, scale[j]);
  }
}

}  // namespace shortfall::features

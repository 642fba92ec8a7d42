#include "shortfall/features/normalised_radial.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "errors/require.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/numbers/portable_math.hpp"

namespace shortfall::features {
namespace {

void check_radial(const NormalisedRadialOptions& options) {
  const std::size_t k = options.widths.size();
  require(k >= 1 && k <= max_coordinates, "widths of {} coordinates; accepted: 1 to {}", k,
          max_coordinates);
  for (std::size_t j = 0; j < k; ++j) {
    require(options.widths[j] > 0.0 && std::isfinite(options.widths[j]),
            "width {} is {}; accepted: a finite number > 0", j + 1, options.widths[j]);
  }
  require(!options.centres.empty() && options.centres.size() % k == 0 &&
              options.centres.size() / k <= detail::most_features,
          "centres of {} numbers; accepted: {} numbers for each of 1 to {} centres",
          options.centres.size(), k, detail::most_features);
  for (std::size_t i = 0; i < options.centres.size(); ++i) {
    require(std::isfinite(options.centres[i]),
            "coordinate {} of centre {} is {}; accepted: a finite number", i % k + 1, i / k + 1,
            options.centres[i]);
  }
  require(options.cutoff >= 0.0 && options.cutoff < 1.0,
          "cutoff = {}; accepted: a number from 0 to below 1", options.cutoff);
}

}  // namespace

NormalisedRadial::NormalisedRadial(NormalisedRadialOptions options)
    : options_(std::move(options)), largest_excess_(infinity) {
  check_radial(options_);
  if (options_.cutoff > 0.0) largest_excess_ = -2.0 * portable::log(options_.cutoff);
}

double NormalisedRadial::square(std::span<const double> x, std::size_t i) const {
  double sum = 0.0;
  for (std::size_t j = 0; j < x.size(); ++j) {
    const double distance = (x[j] - options_.centres[i * x.size() + j]) / options_.widths[j];
    sum += distance * distance;
  }
  return sum;
}

double NormalisedRadial::least_square(std::span<const double> x) const {
  double least = infinity;
  for (std::size_t i = 0; i < dimension(); ++i) least = std::min(least, square(x, i));
  require(least < infinity,
          "a point more than 1e150 widths away from every centre; accepted: a closer point");
  return least;
}

void NormalisedRadial::write_at(std::span<const double> x, std::span<double> out) const {
  const double least = least_square(x);
  double sum = 0.0;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const double excess = square(x, i) - least;
    out[i] = excess <= largest_excess_ ? portable::exp(-0.5 * excess) : 0.0;
    sum += out[i];
  }
  for (double& value : out) value /= sum;
}

void NormalisedRadial::write_active_at(std::span<const double> x, ActiveFeatures& out) const {
  const double least = least_square(x);
  double sum = 0.0;
  out.clear();
  for (std::size_t i = 0; i < dimension(); ++i) {
    const double excess = square(x, i) - least;
    if (!(excess <= largest_excess_)) continue;
    const double weight = portable::exp(-0.5 * excess);
    if (weight == 0.0) continue;
    sum += weight;
    out.add(i, weight);
  }
  for (double& value : out.values()) value /= sum;
}

}  // namespace shortfall::features

#include "shortfall/features/normalised.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "errors/require.hpp"
#include "shortfall/features/normalisation.hpp"
#include "shortfall/features/normalised_radial.hpp"
#include "shortfall/numbers/infinity.hpp"
#include "shortfall/numbers/portable_math.hpp"

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

Scaling fit_largest(const Dense& sample) {
  require(sample.states() != 0, "a sample of 0 rows; accepted: one or more");
  const std::size_t d = sample.dimension();
  Scaling scaling{std::vector<double>(d, 0.0), std::vector<double>(d, 0.0)};
  for (std::size_t x = 0; x < sample.states(); ++x) {
    for (std::size_t j = 0; j < d; ++j) {
      scaling.scale[j] = std::max(scaling.scale[j], std::abs(sample.row(x)[j]));
    }
  }
  std::ranges::replace(scaling.scale, 0.0, 1.0);
  return scaling;
}

Normalisation::Normalisation(Scaling scaling, std::vector<double> constant)
    : scaling_(std::move(scaling)), constant_(std::move(constant)) {
  detail::check_scaling(scaling_, scaling_.scale.size());
  const auto is_shifted = [](double shift) { return shift != 0.0; };
  if (constant_.empty() && std::ranges::none_of(scaling_.shift, is_shifted)) {
    constant_.assign(dimension(), 0.0);
  }
  require(constant_.size() == dimension(),
          "{} weights of the constant for {} shifted features; accepted: one for each",
          constant_.size(), dimension());
  for (std::size_t j = 0; j < dimension(); ++j) {
    require(constant_[j] == 0.0 || scaling_.shift[j] == 0.0,
            "feature {} is part of the constant and has the shift {}; accepted: 0", j + 1,
            scaling_.shift[j]);
  }
}

std::vector<double> Normalisation::to_normalised(std::span<const double> theta) const {
  double constant = 0.0;
  for (std::size_t j = 0; j < theta.size(); ++j) constant += scaling_.shift[j] * theta[j];
  std::vector<double> result(theta.size());
  for (std::size_t j = 0; j < theta.size(); ++j) {
    result[j] = scaling_.scale[j] * (theta[j] + constant_[j] * constant);
  }
  return result;
}

std::vector<double> Normalisation::from_normalised(std::span<const double> theta) const {
  std::vector<double> result(theta.size());
  double constant = 0.0;
  for (std::size_t j = 0; j < theta.size(); ++j) {
    result[j] = theta[j] / scaling_.scale[j];
    constant += scaling_.shift[j] * result[j];
  }
  for (std::size_t j = 0; j < theta.size(); ++j) result[j] -= constant_[j] * constant;
  return result;
}

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

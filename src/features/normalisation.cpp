#include "shortfall/features/normalisation.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "errors/require.hpp"

namespace shortfall::features {

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

}  // namespace shortfall::features

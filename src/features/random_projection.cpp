#include "shortfall/features/random_projection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "errors/require.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/features/random_fourier.hpp"
#include "shortfall/mdp/random_bits.hpp"
#include "shortfall/mdp/random_streams.hpp"

namespace shortfall::features {
namespace {

void check_projection(const RandomFeatureOptions& options, double length) {
  const std::size_t k = options.scaling.shift.size();
  require(k != 0,
          "random features of 0 variables; accepted: a shift and a scale for each variable");
  detail::check_scaling(options.scaling, k);
  require(options.count >= 1 && options.count <= RandomProjection::max_features &&
              k < RandomProjection::max_features - options.count,
          "{} random features of {} variables; accepted: 1 or more, and at most {} with intercept "
          "and linear terms",
          options.count, k, RandomProjection::max_features);
  require(length > 0.0 && std::isfinite(length), "length = {}; accepted: a number > 0", length);
}

double rounded_normal(pcg64& bits) {
  return static_cast<double>(static_cast<float>(draw_normal(bits)));
}

}  // namespace

RandomProjection::RandomProjection(RandomFeatureOptions options, Offsets offsets, double length)
    : options_(std::move(options)),
      linear_(options_.intercept == Intercept::with ? 1 : 0),
      first_(linear_ +
             (options_.linear_terms == LinearTerms::with ? options_.scaling.shift.size() : 0)) {
  check_projection(options_, length);
  const std::size_t count = options_.count;
  weights_.resize(count * variables());
  offsets_.resize(count);
  pcg64 bits = stream_generator(options_.seed, static_cast<std::uint64_t>(offsets));
  for (std::size_t j = 0; j < count; ++j) {
    for (std::size_t i = 0; i < variables(); ++i) {
      weights_[i * count + j] = rounded_normal(bits) / length;
    }
    offsets_[j] = offsets == Offsets::normal ? rounded_normal(bits)
                                             : 2.0 * std::numbers::pi * draw_uniform(bits);
  }
}

void RandomProjection::begin(std::span<double> out) const {
  if (options_.intercept == Intercept::with) out[0] = 1.0;
  std::ranges::copy(offsets_, out.subspan(first_).begin());
}

void RandomProjection::add(std::size_t i, double x_i, std::span<double> out) const {
  const double scaled = (x_i - options_.scaling.shift[i]) / options_.scaling.scale[i];
  if (options_.linear_terms == LinearTerms::with) out[linear_ + i] = scaled;
  const std::size_t count = options_.count;
  const double* const w = weights_.data() + i * count;
  double* const z = out.data() + first_;
  for (std::size_t j = 0; j < count; ++j) z[j] += w[j] * scaled;
}

std::vector<std::string> RandomProjection::names(std::string_view word) const {
  std::vector<std::string> names;
  if (options_.intercept == Intercept::with) names.emplace_back("1");
  for (std::size_t i = 1; i <= first_ - linear_; ++i) names.push_back(fmt::format("x{}", i));
  for (std::size_t j = 1; j <= options_.count; ++j) names.push_back(fmt::format("{}{}", word, j));
  return names;
}

void RandomProjection::throw_wrong_size(std::size_t found) const {
  throw InvalidInput(
      fmt::format("a point of {} numbers; accepted: {}, one per variable", found, variables()));
}

RandomFourier::RandomFourier(RandomFourierOptions options)
    : length_(options.length.value_or(
          std::sqrt(std::max(1.0, static_cast<double>(options.features.scaling.shift.size()))))),
      projection_(std::move(options.features), RandomProjection::Offsets::angle, length_),
      amplitude_(std::sqrt(2.0 / static_cast<double>(projection_.options().count))) {}

}  // namespace shortfall::features

#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "shortfall/features/feature_map.hpp"
#include "shortfall/features/scaling.hpp"

/// Random features: what a network with one hidden layer computes if the weights of that layer are
/// drawn instead of learned. V is then linear in the remaining weights, so every linear learner
/// and all of its theory apply.
namespace shortfall::features {

/// Whether the coordinates of the scaled point are among the features.
enum class LinearTerms { with, without };

/// For points x in ℝᵏ. Features are functions of x̃_i = (x_i - shift_i) / scale_i; k is the number
/// of shifts. Scaled by mean and standard deviation (fit_scaling), points lie where the features
/// vary.
struct RandomFeatureOptions {
  Scaling scaling;
  std::size_t count = 100;  ///< D ≥ 1, of random features
  Intercept intercept = Intercept::with;
  LinearTerms linear_terms = LinearTerms::without;
  std::uint64_t seed = 1;
};

/// The random affine functions w_jᵀx̃ + b_j, j = 1..D, that RandomRelu and RandomFourier transform,
/// after the features that are not random: [1,] [x̃_1, .., x̃_k,] then one per j.
///
/// The w_ji are normal variates, drawn in the order w_11, .., w_1k, b_1, w_21, .. and rounded to
/// single precision. So the functions of one seed begin with those of a smaller D, and the same
/// seed gives the same bits on every machine: log and cos may differ there in the last places of
/// a double, but not above. Sums are in the order b_j + w_j1 x̃_1 + w_j2 x̃_2 + .., never fused.
class RandomProjection {
 public:
  /// The distribution of the offsets b_j: standard normal, or uniform on [0, 2π).
  enum class Offsets { normal, angle };

  static constexpr std::size_t max_features = 100'000;

  /// Normal variates are divided by `length`. Throws InvalidInput for a scaling without shifts or
  /// one that Normalised would reject, for D = 0, for more than max_features in all, and for a
  /// length that is not positive and finite.
  RandomProjection(RandomFeatureOptions options, Offsets offsets, double length = 1.0);

  std::size_t dimension() const { return first_ + options_.count; }
  std::size_t variables() const { return options_.scaling.shift.size(); }  ///< k
  const RandomFeatureOptions& options() const { return options_; }

  /// w_ji with j and i from 0, and b_j.
  double weight(std::size_t j, std::size_t i) const { return weights_[i * options_.count + j]; }
  double offset(std::size_t j) const { return offsets_[j]; }

  /// Writes the features that are not random, and then the D affine functions; returns the
  /// latter. Throws InvalidInput if the size of x is not k.
  template <Point State>
  std::span<double> write(const State& x, std::span<double> out) const {
    if (x.size() != variables()) throw_wrong_size(x.size());
    const std::span<double> functions = out.subspan(first_, options_.count);
    begin(out);
    for (std::size_t i = 0; i < variables(); ++i) add(i, static_cast<double>(x[i]), out);
    return functions;
  }

  /// "1", "x1", .., then `word` and the number of the random feature: "relu1", ..
  std::vector<std::string> names(std::string_view word) const;

 private:
  void begin(std::span<double> out) const;
  void add(std::size_t i, double x_i, std::span<double> out) const;
  [[noreturn]] void throw_wrong_size(std::size_t found) const;

  RandomFeatureOptions options_;
  std::size_t linear_;           // where the linear terms begin
  std::size_t first_;            // where the random features begin
  std::vector<double> weights_;  // w_1i, .., w_Di, for one i after the other
  std::vector<double> offsets_;
};

}  // namespace shortfall::features

#pragma once

#include <Eigen/Core>
#include <array>
#include <cstddef>
#include <ranges>
#include <span>
#include <utility>
#include <vector>

#include "shortfall/features/dense.hpp"
#include "shortfall/features/feature_map.hpp"

namespace shortfall::features {

/// A change of coordinates φ̃ = T φ that makes the features orthonormal on a sample:
/// (1/n) Σ φ̃ φ̃ᵀ = I. They span the same functions, so what can be represented is unchanged, but
/// all directions of θ are learned at the same rate, so that one step size suits them all.
///
/// A feature that depends on those before it, up to `dependence_tolerance` of its mean square, is
/// left out; r remain. T is triangular. On the sample, φ = B φ̃ up to that tolerance.
///
/// A direction that appears in only a few rows of the sample is stretched so much that ‖φ̃‖² there
/// is many times its mean r. A ridge ε > 0 stretches such directions less: T is chosen so that the
/// mean square of φ plus ε times its diagonal becomes the identity. (1/n) Σ φ̃ φ̃ᵀ is then at most I.
class Orthonormalisation {
 public:
  static constexpr double dependence_tolerance = 1e-5;

  /// From a sample of n ≥ 1 rows, by the Cholesky factor of their mean square. Throws InvalidInput
  /// for a sample without rows or with only zeros.
  explicit Orthonormalisation(const Dense& sample, double ridge = 0.0);

  std::size_t dimension() const { return dimension_; }  ///< d
  std::size_t rank() const { return kept_.size(); }     ///< r
  std::span<const std::size_t> kept() const { return kept_; }

  /// Computes φ̃, r numbers, from φ, d numbers.
  void apply(std::span<const double> phi, std::span<double> out) const;

  /// Weights for φ̃ of the function φᵀθ, and weights for φ of the function φ̃ᵀθ.
  std::vector<double> to_orthonormal(std::span<const double> theta) const;
  std::vector<double> from_orthonormal(std::span<const double> theta) const;

 private:
  std::size_t dimension_;
  std::vector<std::size_t> kept_;
  std::vector<double> columns_;  // of T, one after the other; column k has r - k entries
  Eigen::MatrixXd b_;            // B, d × r
};

/// The features of another map in the coordinates of an Orthonormalisation.
template <class Map>
class Orthonormal {
 public:
  /// The largest dimension of the other map: the size of the buffer for its features.
  static constexpr std::size_t max_features = 1024;

  /// Throws InvalidInput if the two differ in dimension, or exceed max_features.
  Orthonormal(Map map, Orthonormalisation change);

  std::size_t dimension() const { return change_.rank(); }
  const Map& map() const { return map_; }
  const Orthonormalisation& change() const { return change_; }

  template <class State>
  requires FeatureMap<Map, State>
  void write(const State& x, std::span<double> out) const {
    std::array<double, max_features> memory;  // NOLINT(*-member-init): written next
    const std::span<double> phi(memory.data(), change_.dimension());
    map_.write(x, phi);
    change_.apply(phi, out);
  }

 private:
  Map map_;
  Orthonormalisation change_;
};

namespace detail {
void check_dimensions(std::size_t map, std::size_t change, std::size_t most);
}

template <class Map>
Orthonormal<Map>::Orthonormal(Map map, Orthonormalisation change)
    : map_(std::move(map)), change_(std::move(change)) {
  detail::check_dimensions(map_.dimension(), change_.dimension(), max_features);
}

}  // namespace shortfall::features

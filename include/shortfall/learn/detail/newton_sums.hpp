#pragma once

#include <cstddef>

#include "shortfall/learn/detail/vector_kernels.hpp"

namespace shortfall::learn {

/// What UBSR-Newton sums over its samples, each with a weight ω and a share g; all arrays padded.
struct NewtonSums {
  explicit NewtonSums(std::size_t dimension)
      : products(dimension * padded(dimension)),
        target(padded(dimension)),
        x_squares(target),
        z_squares(target) {}

  AlignedVector products;   ///< S = Σ g ω ℓ' X Zᵀ, d rows
  AlignedVector target;     ///< Σ g r X
  AlignedVector x_squares;  ///< Σ g X², by component
  AlignedVector z_squares;  ///< Σ g (ω ℓ' Z)²
  double weight = 0.0;      ///< Σ g ω
  double square = 0.0;      ///< Σ g², where samples are forgotten

  void clear();
  /// Multiplies every share by `factor`, but for the equations of features that have all but
  /// vanished: row i of S θ = -Σ r X is an equation of its own, and keeps its last value.
  void scale(double factor);
  bool is_vanishing(std::size_t i) const { return x_squares[i] < 1e-200; }
  /// Takes over the equations of features that do not occur here.
  void keep_missing_of(const NewtonSums& older, std::size_t dimension);
  /// How an archive calls the lists.
  struct Names {
    const char* products;
    const char* target;
    const char* x_squares;
    const char* z_squares;
  };
  /// Throws InvalidInput, which names the field, unless these may be sums of d features.
  void check_state(std::size_t dimension, const Names& names) const;

  template <class Archive>
  void archive(Archive& state, const Names& names) {
    state(products, names.products);
    state(target, names.target);
    state(x_squares, names.x_squares);
    state(z_squares, names.z_squares);
    state(weight);
    state(square);
  }
};

}  // namespace shortfall::learn

#pragma once

#include <cstddef>
#include <ranges>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "shortfall/features/dense.hpp"
#include "shortfall/features/feature_map.hpp"
#include "shortfall/features/scaling.hpp"

namespace shortfall::features {

/// A feature counts as constant in a sample if its values differ by at most this fraction of the
/// largest: such differences are rounding.
inline constexpr double constant_tolerance = 1e-12;

/// Mean and standard deviation, √(Σ (φ - mean)² / n), of each feature in a sample of n ≥ 1 rows. On
/// the sample, scaled features have mean 0 and mean square 1.
///
/// A feature that is constant in the sample is left unchanged, with shift 0 and scale 1. This keeps
/// an intercept, and avoids a column of zeros, which would make the features dependent.
Scaling fit_scaling(const Dense& sample);

/// The features of another map, (φ_j(x) - shift_j) / scale_j. If they include an intercept, they
/// span the same functions as before. Otherwise a shift changes what can be represented; a
/// `Scaling` with shifts of 0 does not.
template <class Map>
class Normalised {
 public:
  /// Throws InvalidInput unless there is a finite shift and a finite scale > 0 for each feature.
  Normalised(Map map, Scaling scaling);

  /// Fits the scaling to a sample of states.
  template <std::ranges::forward_range States>
  static Normalised fit(Map map, const States& states) {
    Scaling scaling = fit_scaling(Dense::of(map, states));
    return Normalised(std::move(map), std::move(scaling));
  }

  std::size_t dimension() const { return map_.dimension(); }
  const Map& map() const { return map_; }
  const Scaling& scaling() const { return scaling_; }

  template <class State>
  requires FeatureMap<Map, State>
  void write(const State& x, std::span<double> out) const {
    map_.write(x, out);
    for (std::size_t j = 0; j < out.size(); ++j) {
      out[j] = (out[j] - scaling_.shift[j]) / scaling_.scale[j];
    }
    check_finite(out);
  }

  std::vector<std::string> names() const requires requires(const Map& map) { map.names(); }
  { return map_.names(); }

 private:
  Map map_;
  Scaling scaling_;
};

template <class Map>
Normalised<Map>::Normalised(Map map, Scaling scaling)
    : map_(std::move(map)), scaling_(std::move(scaling)) {
  detail::check_scaling(scaling_, map_.dimension());
}

}  // namespace shortfall::features

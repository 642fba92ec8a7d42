#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cstddef>
#include <ranges>
#include <span>
#include <vector>

#include "shortfall/features/feature_map.hpp"
#include "shortfall/mdp/outcomes.hpp"

namespace shortfall::features {

/// Features given as a matrix Φ, N × d: row x is φ(x). Stored by rows, whereas Eigen stores
/// columns. Also used for a sample of the feature rows of any map: see `of`.
class Dense {
 public:
  /// `entries` are the rows, one after the other. Throws InvalidInput for a dimension of 0, for
  /// entries that do not fill whole rows, and for an entry that is not finite.
  Dense(std::vector<double> entries, std::size_t dimension);
  explicit Dense(const Eigen::Ref<const Eigen::MatrixXd>& phi);

  /// The rows of `map` at the given states, in their order.
  template <class Map, std::ranges::forward_range States>
  requires FeatureMap<Map, std::ranges::range_value_t<States>>
  static Dense of(const Map& map, const States& states) {
    const std::size_t d = map.dimension();
    std::vector<double> entries(static_cast<std::size_t>(std::ranges::distance(states)) * d);
    std::size_t begin = 0;
    for (const auto& x : states) {
      map.write(x, std::span(entries).subspan(begin, d));
      begin += d;
    }
    return Dense(std::move(entries), d);
  }

  std::size_t states() const { return entries_.size() / dimension_; }
  std::size_t dimension() const { return dimension_; }

  /// x < states.
  std::span<const double> row(std::size_t x) const {
    return std::span(entries_).subspan(x * dimension_, dimension_);
  }
  void write(StateIndex x, std::span<double> out) const { std::ranges::copy(row(x), out.begin()); }

  Eigen::MatrixXd matrix() const;  ///< Φ, in the form that `theory` takes

 private:
  std::vector<double> entries_;
  std::size_t dimension_;
};

}  // namespace shortfall::features

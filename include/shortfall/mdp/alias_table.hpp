#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shortfall/mdp/random_bits.hpp"

namespace shortfall {

/// One of n equally likely cells: a draw in cell i yields i if its fraction is below `threshold`,
/// else `alias`.
struct AliasCell {
  double threshold;
  std::uint32_t alias;
};

/// A law on 0..n-1, sampled in constant time from one draw of 64 bits.
///
/// The alias method of Walker (ACM Trans. Math. Softw. 3, 1977), built in linear time after Vose
/// (IEEE Trans. Softw. Eng. 17, 1991): the law becomes a mixture, with equal weights, of n laws on
/// one or two points each. Check: (1/4, 3/4) has the cells {1/2, alias 1} and {1, alias 1}.
class AliasTable {
 public:
  /// Throws InvalidInput unless the probabilities are ≥ 0 and sum to one within
  /// `probability_tolerance`; they are then rescaled to do so.
  explicit AliasTable(std::span<const double> probabilities);

  std::size_t size() const { return cells_.size(); }
  const std::vector<AliasCell>& cells() const { return cells_; }

  /// The law that draws actually follow, the average over the cells. It equals the given law up to
  /// rounding, and is exactly 0 where that is.
  std::vector<double> implied_probabilities() const;

  template <RandomBits G>
  std::size_t operator()(G& bits) const {
    const auto [index, fraction] = split_draw(bits(), static_cast<std::uint32_t>(cells_.size()));
    const AliasCell& cell = cells_[index];
    return fraction < cell.threshold ? index : cell.alias;
  }

 private:
  std::vector<AliasCell> cells_;
};

/// Builds the cells of many laws without an allocation for each.
class AliasBuilder {
 public:
  /// `probabilities` are ≥ 0 with a positive sum; `cells` has the same length.
  void build(std::span<const double> probabilities, std::span<AliasCell> cells);

 private:
  std::vector<std::uint32_t> light_;
  std::vector<std::uint32_t> heavy_;
};

}  // namespace shortfall

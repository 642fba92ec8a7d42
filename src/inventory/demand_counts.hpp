#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "inventory/demand_terms.hpp"
#include "shortfall/inventory/records.hpp"

namespace shortfall::inventory::detail {

/// The demand of some days, as far as likelihoods depend on it: on how many days it was k, and on
/// how many at least k, because the stock ran out.
class DemandCounts {
 public:
  void add(const DayRecord& day);
  void add(const DemandCounts& other);

  const std::vector<std::uint32_t>& exactly() const { return exactly_; }    ///< by k
  const std::vector<std::uint32_t>& at_least() const { return at_least_; }  ///< by k
  std::size_t largest() const { return exactly_.empty() ? 0 : exactly_.size() - 1; }
  std::size_t known_days() const { return known_days_; }  ///< with the demand itself
  std::size_t days() const { return known_days_ + stockouts_; }
  std::size_t stockouts() const { return stockouts_; }

  /// No day shows that demand can be above zero.
  bool is_zero() const;
  /// The mean as if demand had been what was recorded.
  double recorded_mean() const;
  /// The variance about the mean, of the days with known demand.
  double known_variance() const;

  /// ℓ(μ, α) = Σ_k exactly_k log P(D = k) + at_least_k log P(D ≥ k). For μ = 0, zero demand is
  /// certain and everything else impossible.
  LikelihoodTerm log_likelihood(double mean, const DemandTerms& terms) const;

 private:
  void make_room(std::size_t k);

  std::vector<std::uint32_t> exactly_;
  std::vector<std::uint32_t> at_least_;  // of the same size
  std::size_t known_days_ = 0;
  std::size_t stockouts_ = 0;
};

}  // namespace shortfall::inventory::detail

#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <vector>

#include "inventory/fit/demand_counts.hpp"
#include "inventory/fit/empirical_law.hpp"
#include "inventory/fit/likelihood.hpp"
#include "shortfall/inventory/fit/fit.hpp"

namespace shortfall::inventory::detail {

/// Means of groups of days, with one dispersion for all: 0 is Poisson.
struct DemandEstimate {
  std::vector<double> mean;  ///< by group
  double dispersion = 0.0;   ///< α = 1/n
  double log_likelihood = 0.0;
};

enum class Dispersion { none, common };

/// The likelihood of groups of days, such as weekdays: Poisson, or negative binomial with one n.
/// θ = (log μ_1, .., log μ_G, log α), in which both laws have smooth, single-peaked likelihoods.
///
/// The negative binomial has its maximum at the Poisson law, α = 0, if the likelihood falls from
/// there, ∂ℓ/∂α ≤ 0: the days vary less than Poisson demand would (Levin, Reeds, Ann. Statist. 5,
/// 1977). A group with no demand at all has mean 0.
class DemandProblem {
 public:
  /// Each group needs a day with known demand: without one, the larger the mean, the likelier.
  DemandProblem(std::span<const DemandCounts> groups, Dispersion dispersion);

  DemandEstimate maximum() const;

  /// 95 % profile likelihood intervals about the maximum: parameters with
  /// max over the others of ℓ ≥ ℓ̂ - χ²(0.95; 1) / 2. A mean of 0 is at the end of its range, where
  /// that holds the truth too rarely: its interval is one-sided, ℓ ≥ ℓ̂ + log 0.05, which for
  /// Poisson demand is exact: [0, 3.0 / days].
  Interval mean_interval(const DemandEstimate& best, std::size_t group) const;
  /// The interval of n = 1/α; infinite at the Poisson law.
  Interval n_interval(const DemandEstimate& best) const;

 private:
  std::vector<double> theta_of(const DemandEstimate& estimate) const;
  /// The maximum with one coordinate of θ fixed.
  double profile(std::vector<double>& theta, std::size_t coordinate, double value) const;
  /// Where the profile is lower than the maximum by `fall`, from there in steps of `step`; an
  /// infinity if it is not before `limit`.
  struct Search {
    double step;
    double limit;
    double fall;
  };
  double crossing(const DemandEstimate& best, std::size_t coordinate, Search search) const;

  std::span<const DemandCounts> groups_;
  Dispersion dispersion_;
  Objective log_likelihood_;
  Bounds bounds_;
};

/// Days that share a mean: all of them, or those of a weekday.
struct DemandGroups {
  static constexpr std::size_t none = 7;

  bool by_weekday;
  std::vector<DemandCounts> counts;
  std::array<std::size_t, 7> of_weekday;  ///< the group of a weekday; `none` if it has no days
};
DemandGroups all_days(const Records& records);
DemandGroups weekdays(const Records& records);

/// A candidate with its parameters by group.
struct FittedLaw {
  DemandCandidate summary;
  GroupedLaw law;                       ///< not of the empirical law
  std::vector<EmpiricalLaw> empirical;  ///< of the empirical law only
};

/// All laws, or the one that is asked for, fitted to groups. There is a negative binomial law with
/// an n per weekday only if each of these is finite, one at all only if its means are, and an
/// empirical law that was not asked for
/// only if there are five days per value.
std::vector<FittedLaw> fit_laws(const DemandGroups& groups, std::optional<DemandLaw> wanted);

/// The laws of the groups, with intervals.
std::vector<DemandOfDay> describe_groups(const DemandGroups& groups, const FittedLaw& fitted);

}  // namespace shortfall::inventory::detail

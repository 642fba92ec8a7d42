#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "shortfall/features/dense.hpp"
#include "shortfall/theory/projection.hpp"

namespace shortfall::features {

/// Whether features are linearly independent on a sample of states. If they are not, θ is not
/// unique there and Newton's matrix is singular.
struct RankCheck {
  std::size_t dimension = 0;
  std::vector<theory::DependentFeature> dependent;  ///< empty if the rank is full
  std::string message;                              ///< for people: which features depend on which

  std::size_t rank() const { return dimension - dependent.size(); }
  bool is_full() const { return dependent.empty(); }
};

/// As `theory::dependent_features` under the uniform law on the sample, with its tolerance: the
/// last feature of a relation is reported as dependent on the others. Messages count features from
/// 1 and add their names if given, for instance those of Polynomial::names(). Full rank on a sample
/// implies full rank on all states; the converse requires a sample that covers enough of them.
/// Throws InvalidInput if the sample has no rows, or if `names` has a length other than 0 and d.
RankCheck check_rank(const Dense& sample, std::span<const std::string> names = {});

}  // namespace shortfall::features

#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "shortfall/features/dense.hpp"
#include "shortfall/theory/projection.hpp"

namespace shortfall::features {

/// Whether features are linearly independent on a sample of states. Where they are not, θ is not
/// unique there and Newton's matrix is singular.
struct RankCheck {
  std::size_t dimension = 0;
  std::vector<theory::DependentFeature> dependent;  ///< empty where there is full rank
  std::string message;  ///< for people: who depends on whom, or that nobody does

  std::size_t rank() const { return dimension - dependent.size(); }
  bool is_full() const { return dependent.empty(); }
};

/// As `theory::dependent_features` under the uniform law on the sample, with its tolerance: the
/// last feature of a relation is named as dependent on the others. Messages count features from 1
/// and add their names where given, for instance those of Polynomial::names(). Full rank on a
/// sample is full rank on all states; the converse holds only where the sample has seen enough of
/// them. Throws InvalidInput where the sample has no rows, or `names` are neither none nor d.
RankCheck check_rank(const Dense& sample, std::span<const std::string> names = {});

}  // namespace shortfall::features

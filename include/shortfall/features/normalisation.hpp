#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "shortfall/features/dense.hpp"
#include "shortfall/features/normalised.hpp"

namespace shortfall::features {

/// Divides each feature by its largest absolute value in a sample of n ≥ 1 rows, without a shift. A
/// feature that is 0 in the whole sample is left unchanged.
Scaling fit_largest(const Dense& sample);

/// A change of coordinates feature by feature, φ̃_j = (φ_j - m_j) / s_j, for weights: it writes the
/// same function as φᵀθ and as φ̃ᵀθ̃. With κ the weights of the constant, φᵀκ = 1 in every state,
///
///   θ̃_j = s_j (θ_j + κ_j Σ_i m_i θ_i),      θ_j = θ̃_j / s_j - κ_j Σ_i m_i θ̃_i / s_i.
///
/// Check: φ = (1, x), κ = (1, 0), m = (0, 2), s = (1, 4): 3 + 8 x is 19 + 32 x̃.
class Normalisation {
 public:
  /// `constant` is κ, needed only if a shift is not 0. Throws InvalidInput for a scaling that
  /// Normalised would refuse, for shifts without κ, for a κ of another length, and for a κ that
  /// uses a shifted feature. That φᵀκ = 1 is not checked.
  explicit Normalisation(Scaling scaling, std::vector<double> constant = {});

  std::size_t dimension() const { return scaling_.scale.size(); }
  const Scaling& scaling() const { return scaling_; }

  std::vector<double> to_normalised(std::span<const double> theta) const;
  std::vector<double> from_normalised(std::span<const double> theta) const;

 private:
  Scaling scaling_;
  std::vector<double> constant_;
};

}  // namespace shortfall::features

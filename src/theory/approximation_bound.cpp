#include "shortfall/theory/approximation_bound.hpp"

#include <cmath>

namespace shortfall::theory {

double lemma2_bound(const QNormContraction& contraction, double projection_error,
                    std::optional<double> alpha) {
  const double a = alpha.value_or(contraction.best_alpha());
  // 1/(1 - √g), without cancellation for moduli close to one.
  return projection_error * (1.0 + contraction.modulus(a)) / contraction.one_minus_g(a);
}

double pythagorean_bound(const QNormContraction& contraction, double projection_error,
                         std::optional<double> alpha) {
  const double a = alpha.value_or(contraction.best_alpha());
  static_cast<void>(contraction.modulus(a));
  return projection_error / std::sqrt(contraction.one_minus_g(a));
}

}  // namespace shortfall::theory

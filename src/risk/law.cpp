#include "shortfall/risk/law.hpp"

#include <cmath>
#include <cstddef>

#include "errors/require.hpp"

namespace shortfall {

void validate(const Law& law) {
  require(!law.atoms.empty(), "a law without atoms; accepted: at least one");
  require(law.atoms.size() == law.probabilities.size(),
          "{} probabilities for {} atoms; accepted: the same number", law.probabilities.size(),
          law.atoms.size());
  double sum = 0.0;
  for (std::size_t i = 0; i < law.atoms.size(); ++i) {
    require(std::isfinite(law.atoms[i]), "atom {} is {}; accepted: a finite number", i + 1,
            law.atoms[i]);
    const double p = law.probabilities[i];
    require(p >= 0.0 && p <= 1.0 + probability_tolerance,
            "probability {} is {}; accepted: a number in [0, 1]", i + 1, p);
    sum += p;
  }
  require(std::abs(sum - 1.0) <= probability_tolerance,
          "probabilities sum to {}; accepted: 1 within {}", sum, probability_tolerance);
}

}  // namespace shortfall

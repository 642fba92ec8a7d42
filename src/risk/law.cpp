#include "shortfall/risk/law.hpp"

#include <fmt/format.h>

#include <cmath>
#include <cstddef>

#include "shortfall/error.hpp"

namespace shortfall {

void validate(const Law& law) {
  if (law.atoms.empty()) throw InvalidInput("a law needs at least one atom; found none");
  if (law.atoms.size() != law.probabilities.size()) {
    throw InvalidInput(fmt::format("a law needs as many probabilities as atoms; found {} and {}",
                                   law.probabilities.size(), law.atoms.size()));
  }
  double sum = 0.0;
  for (std::size_t i = 0; i < law.atoms.size(); ++i) {
    if (!std::isfinite(law.atoms[i])) {
      throw InvalidInput(
          fmt::format("atom {} is {}; accepted: a finite number", i + 1, law.atoms[i]));
    }
    const double p = law.probabilities[i];
    if (!(p >= 0.0 && p <= 1.0 + probability_tolerance)) {
      throw InvalidInput(
          fmt::format("probability {} is {}; accepted: a number in [0, 1]", i + 1, p));
    }
    sum += p;
  }
  if (!(std::abs(sum - 1.0) <= probability_tolerance)) {
    throw InvalidInput(
        fmt::format("probabilities sum to {}; accepted: 1 within {}", sum, probability_tolerance));
  }
}

}  // namespace shortfall

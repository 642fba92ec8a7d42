#pragma once

#include <cmath>
#include <cstdint>
#include <string>

#include "shortfall/risk/law.hpp"

namespace shortfall::detail {

/// Whether an outcome may be part of a model.
inline bool is_sound(double probability, double cost) {
  return probability >= 0.0 && probability <= 1.0 + probability_tolerance && std::isfinite(cost);
}

/// What is wrong with an outcome that is not sound; `next` is the id of the next state.
std::string outcome_problem(double probability, double cost, std::uint64_t next);

}  // namespace shortfall::detail

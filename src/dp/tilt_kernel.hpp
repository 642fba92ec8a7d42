#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "shortfall/mdp/outcomes.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::detail {

/// One row of outcomes per state and where its weights go.
struct TiltJob {
  const Outcomes& outcomes;
  const std::size_t* rows;   ///< of each state
  const std::size_t* begin;  ///< position of the weights of each state; none where it is the next's
  const double* values;      ///< V
  const double* risks;       ///< of the rows
  double gamma;
  double* wide;         ///< weights, or null:
  float* narrow;        ///< the same rounded
  std::uint32_t* next;  ///< successors
};

/// The weights w_j = p_j ℓ'(X_j - v) / Σ p ℓ'(X - v) of rows with targets X = c + γ V' and risks v:
/// the derivative of v in the direction of each target. They are ≥ 0 and sum to one. For the states
/// [first, last); `scratch` has the length of the longest row.
void tilt_rows(const AnyLoss& loss, const TiltJob& job, std::size_t first, std::size_t last,
               double* scratch);

}  // namespace shortfall::detail

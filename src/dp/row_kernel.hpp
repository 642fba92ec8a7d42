#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "shortfall/mdp/outcomes.hpp"
#include "shortfall/risk/any_loss.hpp"

/// Vector kernels for rows of outcomes, besides the backup itself.
namespace shortfall::detail {

/// Properties of all outcomes together that bounds need.
struct OutcomeLimits {
  double lowest_cost = 0.0;
  double highest_cost = 0.0;
  double least_probability = 1.0;

  void merge(const OutcomeLimits& other);
};

/// One cost for each of the rows [first, last), so that a sweep need not read one for each outcome:
/// E c for the mean; for other losses the cost that all outcomes of the row have, NaN if they
/// differ. E c is summed relative to the row's first cost. Returns the limits of these rows.
OutcomeLimits cost_of_rows(const AnyLoss& loss, const Outcomes& outcomes, std::size_t first,
                           std::size_t last, double* row_cost);

/// The weights w_j = p_j ℓ'(X_j - v) / Σ p ℓ'(X - v) of a row with targets X = c + γ V' and risk v:
/// the derivative of v in the direction of each target. They are ≥ 0 and sum to one.
void tilt_row(const AnyLoss& loss, const Outcomes::Row& law, const double* values, double gamma,
              double v, double* weights);

}  // namespace shortfall::detail

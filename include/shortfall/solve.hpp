#pragma once

/// Exact values with a certified error bound: the best policy, or the value of a given one.
///
///   const Solution best = solve(model, {Expectile(0.9), 0.95});
///   // best.policy, best.values, and best.error_bound, which holds at every state

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/finite_horizon.hpp"
#include "shortfall/dp/solve.hpp"
#include "shortfall/model.hpp"
#include "shortfall/risk.hpp"

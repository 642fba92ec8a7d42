#pragma once

#include <vector>

#include "shortfall/mdp/mdp.hpp"

namespace shortfall::benchmarks {

/// How far values can be from the optimal expected cost, by plain loops in extended precision that
/// share no code with any solver: |V - V*| ≤ |V - W| + max |TW - W| / (1 - γ) for every W, here the
/// best of V, TV, T²V, ... The first is enough unless a solver has moved all values by a constant
/// although states are terminal. Stops early once the bound is below `enough`. Infinite for values
/// that are not finite or not one per state.
double error_by_plain_loops(const Mdp& model, double gamma, const std::vector<double>& values,
                            double enough);

/// The largest |V(x) - W(x)|; infinite if the sizes differ.
double largest_distance(const std::vector<double>& v, const std::vector<double>& w);

}  // namespace shortfall::benchmarks

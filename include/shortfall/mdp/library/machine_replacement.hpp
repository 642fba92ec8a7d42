#pragma once

#include <cstddef>

#include "shortfall/mdp/mdp.hpp"

namespace shortfall::library {

/// Machine replacement (Derman, "On optimal replacement rules when changes of state are Markovian",
/// in Mathematical Optimization Techniques, 1963; Ross, Introduction to Stochastic Dynamic
/// Programming, 1983). A machine is in a state of wear 0..n-1. Each period it is kept (action 0) or
/// replaced at once by a new one, in state 0 (action 1); then it runs, at a cost of `wear_cost` · x
/// in state x, and wears by one, up to n - 1, with probability p.
///
/// Costs and wear increase with the state, so a control limit is optimal: replace from some state
/// on. In the risk-neutral case, the value of replacing in states k and above solves
///
///   V(x) = (wear_cost · x + γ p V(x + 1)) / (1 - γ (1 - p))   x < k,   V(x) = R + V(0)   x ≥ k,
///
/// and the optimal value is the smallest of these over k, where k ≥ n means never.
struct MachineReplacementParameters {
  std::size_t states = 10;         ///< n ≥ 2
  double replacement_cost = 20.0;  ///< R
  double wear_cost = 3.0;
  double wear_probability = 0.5;  ///< p, in [0, 1]
};

Mdp machine_replacement(const MachineReplacementParameters& parameters = {});

}  // namespace shortfall::library

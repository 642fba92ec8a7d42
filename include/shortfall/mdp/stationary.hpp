#pragma once

#include <cstddef>
#include <vector>

#include "shortfall/mdp/chain.hpp"
#include "shortfall/numbers/infinity.hpp"

namespace shortfall {

struct StationaryOptions {
  /// Chains of at most this many states are solved by elimination, in O(n³) time and n² doubles of
  /// memory; larger ones by iteration.
  std::size_t elimination_limit = 1500;
  /// The iteration stops once |Σ_y q(y) P(x|y) - q(x)| ≤ tolerance · q(x) in every state x.
  double tolerance = 1e-13;
  int max_cycles = 10000;  ///< of the iteration; each costs three passes over the outcomes
};

/// The stationary law q of an irreducible chain: q = Pᵀq, Σ q = 1, q > 0. A periodic chain has one
/// too: its long-run frequencies. A q(x) of 1e-280 or less is known only to lie in [0, 1e-280], and
/// is left out of the residual.
struct [[nodiscard]] StationaryLaw {
  std::vector<double> probability;  ///< q by state
  double residual = infinity;       ///< max over x of |(Pᵀq)(x) - q(x)| / q(x)
  int cycles = 0;                   ///< 0: found by elimination
  bool converged = false;           ///< always by elimination, else iff residual ≤ tolerance
};

/// Elimination is that of Grassmann, Taksar and Heyman ("Regenerative analysis and steady state
/// distributions for Markov chains", Operations Research 33, 1985). It involves no subtraction,
/// and every q(x) has a relative error of a small multiple of n³ε whatever the chain's condition
/// (O'Cinneide, Numerische Mathematik 65, 1993); in practice it is near ε.
///
/// The iteration alternates Gauss-Seidel sweeps with aggregation and disaggregation over blocks of
/// states at similar distance from state 0 (Koury, McAllister, Stewart, SIAM J. Algebraic Discrete
/// Methods 5, 1984), and solves the chain of blocks by elimination. A residual r bounds the error
/// only up to the chain's condition: for a chain that mixes in t steps, roughly t · r.
///
/// Throws InvalidInput with the message of check_ergodicity, with `state_base` added to states, if
/// the chain is not irreducible, for instance because it has a terminal state.
StationaryLaw stationary_law(const Chain& chain, const StationaryOptions& options = {},
                             StateIndex state_base = 0);

}  // namespace shortfall

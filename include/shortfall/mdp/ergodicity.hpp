#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "shortfall/mdp/chain.hpp"

/// The structure of a chain: its communicating classes and its period. The convergence theory of
/// learning requires a chain that is irreducible (every state reaches every other) and aperiodic;
/// the results here name the states that violate this. Outcomes of probability 0 do not count.
/// Everything takes time linear in the number of outcomes.
namespace shortfall {

/// The communicating classes: x and y are in the same class iff each reaches the other. They are
/// numbered so that every transition leads to the same class or to one of smaller number; class 0
/// is therefore one that the chain cannot leave.
struct CommunicatingClasses {
  std::vector<StateIndex> class_of;   ///< by state
  std::vector<StateIndex> members;    ///< states ordered by class
  std::vector<std::size_t> begin{0};  ///< class k is members[begin[k]] up to members[begin[k + 1]]

  std::size_t count() const { return begin.size() - 1; }
  std::size_t size(std::size_t k) const { return begin[k + 1] - begin[k]; }
};

/// Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1 (1972), without
/// recursion, so that the depth of the chain is limited only by memory.
CommunicatingClasses communicating_classes(const Chain& chain);

/// Whether a chain is irreducible and aperiodic and, if not, which states are the reason.
struct Ergodicity {
  /// The smallest state of the largest class (among equally large classes, of the one with the
  /// smallest state). With this reference, the fewest states violate irreducibility.
  StateIndex reference = 0;
  std::vector<StateIndex> not_reached;    ///< states not reachable from `reference`
  std::vector<StateIndex> do_not_return;  ///< states from which `reference` is not reachable
  std::vector<StateIndex> terminal;       ///< states in which the chain ends

  /// The greatest common divisor of the lengths of all cycles; 0 if the chain is not irreducible.
  std::size_t period = 0;
  /// By state: a transition leads from cyclic class k to k + 1 mod period, and `reference` is in
  /// class 0. Empty if the chain is not irreducible.
  std::vector<StateIndex> cyclic_class;

  bool is_irreducible() const { return period > 0; }
  bool is_aperiodic() const { return period == 1; }  ///< false if the chain is not irreducible
  bool is_ergodic() const { return is_irreducible() && is_aperiodic(); }

  /// The result as text, with `state_base` added to states; long lists are truncated.
  std::string message(StateIndex state_base = 0) const;
};

Ergodicity check_ergodicity(const Chain& chain);

}  // namespace shortfall

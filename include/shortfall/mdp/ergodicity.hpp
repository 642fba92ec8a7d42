#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "shortfall/mdp/chain.hpp"

/// The structure of a chain: which states communicate, and in what rhythm. The convergence theory
/// of learning asks for a chain that is irreducible (every state reaches every other) and
/// aperiodic; what is found here names the states that break it. All in time linear in the
/// outcomes.
namespace shortfall {

/// The communicating classes: x and y share one iff each reaches the other.
/// They are numbered so that every transition leads to the same class or to one of smaller number;
/// class 0 is therefore one that the chain cannot leave.
struct CommunicatingClasses {
  std::vector<StateIndex> class_of;   ///< by state
  std::vector<StateIndex> members;    ///< states ordered by class
  std::vector<std::size_t> begin{0};  ///< class k is members[begin[k]] up to members[begin[k + 1]]

  std::size_t count() const { return begin.size() - 1; }
  std::size_t size(std::size_t k) const { return begin[k + 1] - begin[k]; }
};

/// Tarjan, "Depth-first search and linear graph algorithms", SIAM J. Comput. 1 (1972), without
/// recursion, so that the depth of the chain is limited by memory alone.
CommunicatingClasses communicating_classes(const Chain& chain);

/// Whether a chain is irreducible and aperiodic, and if not, because of which states.
struct Ergodicity {
  /// The smallest state of the largest class (of equally large ones, of the one that holds the
  /// smallest state). Seen from there, the fewest states break irreducibility.
  StateIndex reference = 0;
  std::vector<StateIndex> not_reached;    ///< states that `reference` does not reach
  std::vector<StateIndex> do_not_return;  ///< states that do not reach `reference`
  std::vector<StateIndex> terminal;       ///< states that the chain ends in

  /// The greatest common divisor of the lengths of all cycles; 0 where the chain is not
  /// irreducible.
  std::size_t period = 0;
  /// By state, where irreducible: a transition leads from cyclic class k to k + 1 mod period, and
  /// `reference` is in class 0. Empty where the chain is not irreducible.
  std::vector<StateIndex> cyclic_class;

  bool is_irreducible() const { return period > 0; }
  bool is_aperiodic() const { return period == 1; }  ///< said of irreducible chains only
  bool is_ergodic() const { return is_irreducible() && is_aperiodic(); }

  /// What was found, for people, with `state_base` added to states; long lists are cut short.
  std::string message(StateIndex state_base = 0) const;
};

Ergodicity check_ergodicity(const Chain& chain);

}  // namespace shortfall

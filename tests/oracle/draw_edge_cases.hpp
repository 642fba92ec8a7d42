#pragma once

#include <string>
#include <vector>

#include "exact_loss.hpp"
#include "laws.hpp"
#include "random.hpp"

namespace oracle {

/// What takes arithmetic to its edges; each with its own chance.
struct EdgeCases {
  bool many_actions;          ///< whose costs differ by units in the last place only
  bool steep_beside_offset;   ///< e^600 and more, costs far from 0, rows of 1 to 12 outcomes
  bool overflow_on_one_side;  ///< of ℓ(X - m), but not of p ℓ(X - m)
  bool denormal_costs;
  bool impossible_outcomes;  ///< with costs that must not matter
};

/// Whether a state may come to have more of them.
enum class Actions { as_they_are, more };

EdgeCases draw_edge_cases(Random& random, Actions actions, std::vector<std::string>& ingredients);

/// Changes laws of the model; actions of a state may then have ids that jump.
void add_edge_cases(Random& random, const EdgeCases& edges, ModelTable& table, Actions actions);

/// A loss that makes the most of them, or any other.
Loss draw_loss_for(Random& random, const EdgeCases& edges, double spread,
                   std::vector<std::string>& ingredients);

}  // namespace oracle

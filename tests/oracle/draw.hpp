#pragma once

#include <string>
#include <vector>

#include "case.hpp"
#include "exact_loss.hpp"
#include "laws.hpp"

namespace oracle {

/// A loss of any family. If it has a scale, that is chosen relative to `spread`, the difference
/// between costs. Its difficulties are added to `ingredients`.
Loss draw_loss(Random& random, double spread, std::vector<std::string>& ingredients);

/// A piecewise-linear loss of few or many knots, convex, concave or neither, with the origin at a
/// knot or inside a segment. Its difficulties are added to `ingredients`.
Loss draw_piecewise(Random& random, double spread, std::vector<std::string>& ingredients);

/// Gives laws of a model an outcome so rare and so expensive that it has as much influence as all
/// others: both ends of a loss then matter, and so does each digit of a small probability.
void add_rare_outcomes(Random& random, ModelTable& table, const Loss& loss, double spread);

/// Cases at the limits of double arithmetic; each with its own probability.
struct EdgeCases {
  bool many_actions;          ///< whose costs differ by units in the last place only
  bool steep_beside_offset;   ///< e^600 and more, costs far from 0, rows of 1 to 12 outcomes
  bool overflow_on_one_side;  ///< of ℓ(X - m), but not of p ℓ(X - m)
  bool denormal_costs;
  bool impossible_outcomes;  ///< with costs that must not matter
};

/// Whether a state may get more actions.
enum class Actions { as_they_are, more };

EdgeCases draw_edge_cases(Random& random, Actions actions, std::vector<std::string>& ingredients);

/// Changes laws of the model; afterwards the action ids of a state may have gaps.
void add_edge_cases(Random& random, const EdgeCases& edges, ModelTable& table, Actions actions);

/// A loss that aggravates these cases, or any other.
Loss draw_loss_for(Random& random, const EdgeCases& edges, double spread,
                   std::vector<std::string>& ingredients);

}  // namespace oracle

#pragma once

#include <string>
#include <vector>

#include "exact_loss.hpp"
#include "random.hpp"

namespace oracle {

/// A piecewise-linear loss of few or many knots, convex, concave or neither, with the origin at a
/// knot or inside a segment. Its difficulties are added to `ingredients`.
Loss draw_piecewise(Random& random, double spread, std::vector<std::string>& ingredients);

}  // namespace oracle

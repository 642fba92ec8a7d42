#pragma once

#include <string>
#include <vector>

#include "exact_loss.hpp"
#include "random.hpp"

namespace oracle {

/// A piecewise-linear loss of few knots or of many, convex, concave or neither, with the origin at
/// a knot or inside a segment. What makes it hard is added to `ingredients`.
Loss draw_piecewise(Random& random, double spread, std::vector<std::string>& ingredients);

}  // namespace oracle

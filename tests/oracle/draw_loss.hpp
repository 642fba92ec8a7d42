#pragma once

#include <string>
#include <vector>

#include "exact_loss.hpp"
#include "random.hpp"

namespace oracle {

/// A loss of any family. If it has a scale, that is chosen relative to `spread`, the difference
/// between costs. Its difficulties are added to `ingredients`.
Loss draw_loss(Random& random, double spread, std::vector<std::string>& ingredients);

}  // namespace oracle

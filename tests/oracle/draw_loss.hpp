#pragma once

#include <string>
#include <vector>

#include "exact_loss.hpp"
#include "random.hpp"

namespace oracle {

/// A loss of any family. Where it has a scale, that is chosen relative to `spread`, the difference
/// between costs; what makes it hard is added to `ingredients`.
Loss draw_loss(Random& random, double spread, std::vector<std::string>& ingredients);

}  // namespace oracle

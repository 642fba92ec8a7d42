#pragma once

#include "case.hpp"
#include "random.hpp"

namespace oracle {

/// `solve`, `evaluate` or, with a given probability, `risk` on a small, numerically
/// difficult model.
Case draw_model_case(Random& random, double share_of_risk);

}  // namespace oracle

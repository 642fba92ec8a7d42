#pragma once

#include "case.hpp"
#include "random.hpp"

namespace oracle {

/// `solve`, `evaluate` or `risk` on a small model made to hurt.
Case draw_model_case(Random& random);

}  // namespace oracle

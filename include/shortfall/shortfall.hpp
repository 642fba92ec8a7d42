#pragma once

/// Where to begin: risk, models, exact solutions, online learning, plans for perishable stock. The
/// folders have more headers, such as those of theory, features and formats: include them one by
/// one. What is in a folder `detail` is installed only because templates need it.

#include "shortfall/learn.hpp"
#include "shortfall/model.hpp"
#include "shortfall/plan.hpp"
#include "shortfall/risk.hpp"
#include "shortfall/solve.hpp"

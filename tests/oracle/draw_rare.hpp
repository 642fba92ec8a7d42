#pragma once

#include "exact_loss.hpp"
#include "laws.hpp"
#include "random.hpp"

namespace oracle {

/// Gives laws of a model an outcome so rare and so expensive that it has as much influence as all
/// others: both ends of a loss then matter, and so does each digit of a small probability.
void add_rare_outcomes(Random& random, ModelTable& table, const Loss& loss, double spread);

}  // namespace oracle

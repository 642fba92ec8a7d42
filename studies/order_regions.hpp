#pragma once

#include "studies/study.hpp"

namespace shortfall::studies {

/// Results from the parts of figure-policies; each has the orders of one setting as rows of the
/// table.
Results conclude_orders(const std::vector<Json>& parts);

}  // namespace shortfall::studies

#pragma once

#include <vector>

#include "study.hpp"

namespace shortfall::studies {

/// What the tables of the counterexample say to the paper's statements about it, and to ours.
std::vector<Finding> counterexample_findings(const Json& tables);

}  // namespace shortfall::studies

#pragma once

#include <vector>

#include "studies/study.hpp"

namespace shortfall::studies {

/// The paper's statements about the counterexample, and ours, checked by the tables.
std::vector<Finding> counterexample_findings(const Json& tables);

}  // namespace shortfall::studies

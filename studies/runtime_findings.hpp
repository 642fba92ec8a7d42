#pragma once

#include "studies/study.hpp"

namespace shortfall::studies {

/// Results from the parts of table-runtime: those with `m` are evaluations of the static policy,
/// one with `five` has its gaps at shelf life 5, the others are exact solutions at shelf life 8.
Results conclude_runtimes(const std::vector<Json>& parts);

}  // namespace shortfall::studies

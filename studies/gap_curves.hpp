#pragma once

#include "studies/study.hpp"

namespace shortfall::studies {

/// Results from the parts of figure-gaps: `cost`, `tau`, and under `TD` and `Newton` one list per
/// seed of the gaps in percent after 0, 1, .. iterations.
Results conclude_gaps(const std::vector<Json>& parts);

}  // namespace shortfall::studies

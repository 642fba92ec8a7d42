#pragma once

#include "study.hpp"

namespace shortfall::studies {

/// From the parts of figure-gaps: `cost`, `tau`, and under `TD` and `Newton` a list a seed of the
/// gaps in percent after 0, 1, .. iterations.
Results conclude_gaps(const std::vector<Json>& parts);

}  // namespace shortfall::studies

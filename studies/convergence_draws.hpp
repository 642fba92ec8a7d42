#pragma once

#include <vector>

#include "studies/convergence_data.hpp"

namespace shortfall::studies {

/// One tally per setting and TD algorithm: the limit of TD(λ) by convergence_limit.hpp, without
/// simulation.
std::vector<DrawTally> convergence_draws(const RiskFamily& family,
                                         const std::vector<ConvergenceSetting>& settings,
                                         const StudyOptions& options,
                                         const OnProgress& on_progress);

}  // namespace shortfall::studies

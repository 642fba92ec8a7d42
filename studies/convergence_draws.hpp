#pragma once

#include <vector>

#include "studies/convergence_problem.hpp"
#include "studies/study.hpp"

namespace shortfall::studies {

/// Results that depend on the draw, on other draws of the model: the limit of TD(λ) by
/// convergence_limit.hpp, without simulation. An object of one table `draws`, with one row per
/// setting and TD algorithm:
///
///   draws            number of models
///   stable           those with a stable limit
///   away             those without one, on which iterates diverge
///   far              those with a limit more than ten times ‖V‖_q away from ΠV
///   nearest          those on which this algorithm's limit is the nearest to ΠV
Json convergence_draws(const RiskFamily& family, const std::vector<ConvergenceSetting>& settings,
                       const StudyOptions& options, const OnProgress& on_progress);

}  // namespace shortfall::studies

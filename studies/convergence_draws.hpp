#pragma once

#include <vector>

#include "convergence_problem.hpp"
#include "study.hpp"

namespace shortfall::studies {

/// What depends on the draw, on other draws of the model: where TD(λ) goes on average, by
/// convergence_limit.hpp, without simulation. An object of one table `draws`, with a row a setting
/// and TD algorithm:
///
///   draws            models
///   stable           of them: with a stable limit
///   away             without one, and iterates leave
///   far              with one that is more than ten times ‖V‖_q away from ΠV
///   nearest          with a limit that no other of the algorithms comes nearer to ΠV than
Json convergence_draws(const RiskFamily& family, const std::vector<ConvergenceSetting>& settings,
                       const StudyOptions& options, const OnProgress& on_progress);

}  // namespace shortfall::studies

#pragma once

#include <vector>

#include "studies/convergence_problem.hpp"
#include "studies/study.hpp"

namespace shortfall::studies {

/// The panels of a figure: for d = 10, then d = 5, one row of levels per γ.
struct ConvergenceFigure {
  RiskFamily family;
  std::vector<double> levels;
  std::vector<double> gammas;

  std::vector<ConvergenceSetting> settings() const;
};

/// One part per panel, and one for other draws of the model with d = 5.
std::vector<Part> convergence_parts(const ConvergenceFigure& figure, const StudyOptions& options);

}  // namespace shortfall::studies

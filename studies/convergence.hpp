#pragma once

#include <vector>

#include "convergence_problem.hpp"
#include "study.hpp"

namespace shortfall::studies {

/// The pictures of a figure: for d = 10, then d = 5, by γ, the levels in a row.
struct ConvergenceFigure {
  RiskFamily family;
  std::vector<double> levels;
  std::vector<double> gammas;

  std::vector<ConvergenceSetting> settings() const;
};

/// A part for each picture, and one for the other draws of the models with d = 5.
std::vector<Part> convergence_parts(const ConvergenceFigure& figure, const StudyOptions& options);

/// The tables `curves`, `settings`, `ends` and `draws` of all parts.
Json convergence_tables(const std::vector<Json>& parts);

}  // namespace shortfall::studies

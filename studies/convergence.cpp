#include "studies/convergence.hpp"

#include "studies/convergence_draws.hpp"
#include "studies/convergence_runs.hpp"

namespace shortfall::studies {
namespace {

std::vector<ConvergenceSetting> with_few_features(const ConvergenceFigure& figure) {
  std::vector<ConvergenceSetting> few = figure.settings();
  std::erase_if(few, [](const ConvergenceSetting& s) { return s.d != few_features; });
  return few;
}

}  // namespace

std::vector<ConvergenceSetting> ConvergenceFigure::settings() const {
  std::vector<ConvergenceSetting> all;
  for (const std::uint32_t d : {convergence_states, few_features}) {
    for (const double gamma : gammas) {
      for (const double level : levels) all.push_back({level, gamma, d});
    }
  }
  return all;
}

std::vector<Part> convergence_parts(const ConvergenceFigure& figure, const StudyOptions& options) {
  const bool is_full = options.scale == Scale::full;
  std::vector<Part> parts;
  for (const ConvergenceSetting& setting : figure.settings()) {
    parts.push_back(
        {.name = name_of(figure.family, setting),
         .seconds = is_full ? 4.5 : 0.2,
         .compute = [family = figure.family, setting, options](const OnProgress& on_progress) {
           return ConvergenceData{
               .panels = {convergence_runs(family, setting, options, on_progress)}};
         }});
  }
  parts.push_back({.name = "draws",
                   .seconds = is_full ? 6.0 : 0.5,
                   .compute = [figure, options](const OnProgress& on_progress) {
                     return ConvergenceData{.draws = convergence_draws(figure.family,
                                                                       with_few_features(figure),
                                                                       options, on_progress)};
                   }});
  return parts;
}

}  // namespace shortfall::studies

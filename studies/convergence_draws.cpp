#include "studies/convergence_draws.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

#include "shortfall/infinity.hpp"
#include "shortfall/theory/projection.hpp"
#include "studies/convergence_limit.hpp"
#include "studies/convergence_runs.hpp"

namespace shortfall::studies {
namespace {

constexpr std::size_t td_algorithms = 4;  ///< the first ones; Newton has the limit of TD(0)
constexpr double far_factor = 10.0;       ///< times ‖V‖_q

void count(const LearningProblem& problem, std::span<DrawTally, td_algorithms> tallies) {
  const double far = far_factor * theory::q_norm(problem.value, problem.q);
  std::array<double, td_algorithms> distance{};
  for (std::size_t a = 0; a < td_algorithms; ++a) {
    const TraceLimit limit = limit_of_traces(problem, convergence_lambdas[a]);
    const bool is_stable = limit.status == LimitStatus::stable;
    distance[a] = is_stable ? problem.distance_to_target(limit.theta) : infinity;
    if (is_stable) ++tallies[a].stable;
    if (limit.status == LimitStatus::away) ++tallies[a].away;
    if (is_stable && distance[a] > far) ++tallies[a].far;
  }
  const auto nearest = std::ranges::min_element(distance);
  if (*nearest < infinity) ++tallies[static_cast<std::size_t>(nearest - distance.begin())].nearest;
}

}  // namespace

std::vector<DrawTally> convergence_draws(const RiskFamily& family,
                                         const std::vector<ConvergenceSetting>& settings,
                                         const StudyOptions& options,
                                         const OnProgress& on_progress) {
  const std::size_t draws = convergence_scale(options.scale).draws;
  std::vector<DrawTally> all;
  for (std::size_t s = 0; s < settings.size(); ++s) {
    for (std::size_t a = 0; a < td_algorithms; ++a) {
      all.push_back({.setting = settings[s],
                     .algorithm = std::string(convergence_algorithms[a]),
                     .draws = draws});
    }
    const std::span<DrawTally, td_algorithms> tallies = std::span(all).last<td_algorithms>();
    for (std::size_t k = 1; k <= draws; ++k) {
      count(convergence_problem(family, settings[s], options.seed + k), tallies);
    }
    on_progress(static_cast<double>(s + 1) / static_cast<double>(settings.size()));
  }
  return all;
}

}  // namespace shortfall::studies

#include "studies/convergence_draws.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

#include "shortfall/infinity.hpp"
#include "shortfall/theory/projection.hpp"
#include "studies/convergence_limit.hpp"
#include "studies/convergence_runs.hpp"

namespace shortfall::studies {
namespace {

constexpr std::size_t td_algorithms = 4;  ///< the first ones; Newton has the limit of TD(0)
constexpr double far_factor = 10.0;       ///< times ‖V‖_q

struct Tally {
  std::size_t stable = 0;
  std::size_t away = 0;
  std::size_t far = 0;
  std::size_t nearest = 0;
};

void count(const ConvergenceProblem& problem, std::array<Tally, td_algorithms>& tallies) {
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

Json convergence_draws(const RiskFamily& family, const std::vector<ConvergenceSetting>& settings,
                       const StudyOptions& options, const OnProgress& on_progress) {
  const std::size_t draws = convergence_scale(options.scale).draws;
  Json rows = Json::array();
  for (std::size_t s = 0; s < settings.size(); ++s) {
    std::array<Tally, td_algorithms> tallies{};
    for (std::size_t k = 1; k <= draws; ++k) {
      count(convergence_problem(family, settings[s], options.seed + k), tallies);
    }
    for (std::size_t a = 0; a < td_algorithms; ++a) {
      Json row;
      row[family.level] = settings[s].level;
      row["gamma"] = settings[s].gamma;
      row["d"] = settings[s].d;
      row["algorithm"] = convergence_algorithms[a];
      row["draws"] = draws;
      row["stable"] = tallies[a].stable;
      row["away"] = tallies[a].away;
      row["far"] = tallies[a].far;
      row["nearest"] = tallies[a].nearest;
      rows.push_back(std::move(row));
    }
    on_progress(static_cast<double>(s + 1) / static_cast<double>(settings.size()));
  }
  return {{"draws", std::move(rows)}};
}

}  // namespace shortfall::studies

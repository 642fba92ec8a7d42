#include "studies/convergence_problem.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/mdp/library/random_mdp.hpp"
#include "shortfall/mdp/stationary.hpp"

namespace shortfall::studies {

std::string name_of(const RiskFamily& family, const ConvergenceSetting& setting) {
  return fmt::format("{}={},gamma={},d={}", family.level, setting.level, setting.gamma, setting.d);
}

LearningProblem convergence_problem(const RiskFamily& family, const ConvergenceSetting& setting,
                                    std::uint64_t draw) {
  pcg64 generator(draw);
  auto drawn =
      library::random_mdp({.states = convergence_states, .features = setting.d}, generator);
  LearningSetup setup{.chain = under_policy(drawn.model, drawn.policy),
                      .criterion = {family.loss(setting.level), setting.gamma},
                      .phi = std::move(drawn.features),
                      .q = {}};
  setup.q = stationary_law(setup.chain).probability;
  const Solution solution =
      evaluate_by_newton(setup.chain, setup.criterion, {.tolerance = 1e-9, .threads = 1});
  if (solution.status != Status::converged) {
    throw std::logic_error("no value for " + name_of(family, setting) + ": " +
                           solution.brief_report());
  }
  LearningProblem problem = learning_problem(std::move(setup), solution.values);
  problem.feature_norm = 1.0;  // orthonormal columns
  return problem;
}

}  // namespace shortfall::studies

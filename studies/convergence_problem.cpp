#include "studies/convergence_problem.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <utility>

#include "shortfall/dp/evaluate.hpp"
#include "shortfall/mdp/library/random_mdp.hpp"
#include "shortfall/mdp/stationary.hpp"
#include "shortfall/theory/mean_field.hpp"
#include "shortfall/theory/projection.hpp"

namespace shortfall::studies {

std::string name_of(const RiskFamily& family, const ConvergenceSetting& setting) {
  return fmt::format("{}={},gamma={},d={}", family.level, setting.level, setting.gamma, setting.d);
}

double ConvergenceProblem::distance_to_target(
    const Eigen::Ref<const Eigen::VectorXd>& theta) const {
  return theory::q_norm(phi * theta - target, q);
}

ConvergenceProblem convergence_problem(const RiskFamily& family, const ConvergenceSetting& setting,
                                       std::uint64_t draw) {
  pcg64 generator(draw);
  auto drawn =
      library::random_mdp({.states = convergence_states, .features = setting.d}, generator);
  ConvergenceProblem problem{.chain = under_policy(drawn.model, drawn.policy),
                             .loss = family.loss(setting.level),
                             .gamma = setting.gamma,
                             .phi = std::move(drawn.features),
                             .q = {},
                             .value = {},
                             .target = {},
                             .fixed_point = {}};
  problem.q = stationary_law(problem.chain).probability;
  const Solution solution = evaluate_by_newton(problem.chain, {problem.loss, problem.gamma},
                                               {.tolerance = 1e-9, .threads = 1});
  if (solution.status != Status::converged) {
    throw std::logic_error("no value for " + name_of(family, setting) + ": " +
                           solution.brief_report());
  }
  problem.value = Eigen::Map<const Eigen::VectorXd>(solution.values.data(), convergence_states);
  const theory::MeanField field(problem.chain, problem.loss, problem.gamma, problem.phi, problem.q);
  problem.target = field.projection()(problem.value);
  problem.fixed_point = theory::projected_fixed_point(field);
  return problem;
}

}  // namespace shortfall::studies

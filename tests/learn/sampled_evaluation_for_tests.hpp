#pragma once

#include <pcg_random.hpp>
#include <utility>
#include <vector>

#include "shortfall/features/tabular.hpp"
#include "shortfall/learn/sampled_evaluation.hpp"
#include "shortfall/mdp/library.hpp"
#include "shortfall/mdp/sampler.hpp"

namespace shortfall::learn {

inline constexpr double gamma_here = 0.8;

/// The random model of 6 states under its policy, costs times a factor.
inline Chain random_chain(double factor = 1.0) {
  pcg64 generator(21);
  const library::RandomMdp random =
      library::random_mdp({.states = 6, .actions = 2, .features = 2}, generator);
  Outcomes outcomes = under_policy(random.model, random.policy).outcomes();
  for (double& cost : outcomes.cost) cost *= factor;
  return Chain(std::move(outcomes));
}

inline EvaluationOptions options_of(Algorithm algorithm, AnyLoss loss = Expectile(0.8)) {
  return {.learner = {.algorithm = algorithm, .loss = std::move(loss), .gamma = gamma_here},
          .samples = 4000,
          .trajectories = 4,
          .pilot = 1000};
}

/// With starts uniform on all states.
template <class Map>
Evaluation evaluate(const Chain& chain, const Map& map, const EvaluationOptions& options,
                    const std::vector<double>& initial_guess = {},
                    const Execution& execution = {}) {
  const ChainSampler sampler(chain);
  const auto count = static_cast<double>(chain.states());
  const StartLaw start(std::vector<double>(chain.states(), 1.0 / count));
  return evaluate_from_samples(Simulation{sampler, map, start}, initial_guess, options, execution);
}

inline const features::Tabular six(6);

}  // namespace shortfall::learn

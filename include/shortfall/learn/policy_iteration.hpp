#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "shortfall/learn/greedy.hpp"
#include "shortfall/learn/sampled_evaluation.hpp"

/// Approximate policy iteration (Wang and Delage, section 6.2.2): evaluate the current policy from
/// samples, V ≈ φᵀθ; take its greedy policy; repeat. Policies need not improve at every step, and
/// if the features cannot represent V they keep changing: keep the best one seen.
namespace shortfall::learn {

/// The model, the features that represent values, and the start of paths. Holds references to the
/// model and to the features, which must outlive it.
template <class Model, class Map, class StartRule>
struct DecisionProblem {
  const Model& model;
  const Map& features;
  StartRule start;
};
template <class Model, class Map, class StartRule>
DecisionProblem(const Model&, const Map&, StartRule) -> DecisionProblem<Model, Map, StartRule>;

/// The chain of a model under a policy, a function of the state. Holds references to both.
template <class Model, class Policy>
class PolicyChain {
 public:
  using State = typename Model::State;

  PolicyChain(const Model& model, const Policy& policy) : model_(&model), policy_(&policy) {}

  bool is_terminal(const State& x) const { return model_->is_terminal(x); }
  template <RandomBits G>
  Step<State> step(const State& x, G& bits) const {
    return model_->step(x, (*policy_)(x), bits);
  }

 private:
  const Model* model_;
  const Policy* policy_;
};

/// Improvement from samples: the greedy policy under S scenarios, new ones at each iteration.
template <class Model, class Map>
class SampledImprovement {
 public:
  SampledImprovement(const Model& model, const Map& features, const LearnerOptions& learner,
                     std::size_t scenarios, std::uint64_t seed)
      : model_(&model),
        features_(&features),
        loss_(learner.loss),
        gamma_(learner.gamma),
        scenarios_(scenarios),
        seed_(seed) {}

  GreedyPolicy<Model, Map> operator()(const std::vector<double>& theta, int iteration) const {
    const auto use = static_cast<std::uint64_t>(iteration);
    return {*model_, LinearValue(*features_, theta), loss_, gamma_,
            Scenarios(scenarios_, derive_seed(seed_, use))};
  }

 private:
  const Model* model_;
  const Map* features_;
  AnyLoss loss_;
  double gamma_;
  std::size_t scenarios_;
  std::uint64_t seed_;
};

/// The iteration. `Policy` is a function from state to action that several threads may call at
/// once; `Improve` makes a policy from θ and the iteration number, by samples as above or by any
/// other method. Random draws depend only on the seed and that number, so that a resumed iteration
/// gives the same results as an uninterrupted one.
///
///   PolicyIteration iteration(DecisionProblem{model, features, start}, policy,
///                             SampledImprovement(model, features, learner, 50, seed), options);
///   for (int k = 0; k < 20; ++k) iteration.iterate();
///   iteration.policy()(x);
template <class Model, class Map, class StartRule, class Policy, class Improve>
class PolicyIteration {
 public:
  /// Begins with the given policy and θ = 0. Policy must be the result type of Improve.
  PolicyIteration(DecisionProblem<Model, Map, StartRule> problem, Policy policy, Improve improve,
                  EvaluationOptions options, Execution execution = {})
      : problem_(std::move(problem)),
        policy_(std::move(policy)),
        improve_(std::move(improve)),
        options_(std::move(options)),
        execution_(std::move(execution)),
        theta_(problem_.features.dimension(), 0.0) {}

  /// Resumes from the results of an earlier iteration, or starts from an initial guess of θ.
  void resume(int iteration, std::vector<double> theta, Policy policy) {
    iteration_ = iteration;
    theta_ = std::move(theta);
    policy_ = std::move(policy);
  }

  /// Runs one iteration and returns its evaluation. If that was stopped, nothing else changes.
  Evaluation iterate() {
    const PolicyChain chain(problem_.model, policy_);
    EvaluationOptions options = options_;
    options.seed = derive_seed(options_.seed, static_cast<std::uint64_t>(iteration_) + 1);
    Evaluation evaluation = evaluate_from_samples(
        Simulation{chain, problem_.features, problem_.start}, theta_, options, execution_);
    if (evaluation.stopped > 0) return evaluation;
    theta_ = evaluation.theta;
    policy_ = improve_(theta_, ++iteration_);
    return evaluation;
  }

  int iteration() const { return iteration_; }  ///< iterations so far
  const std::vector<double>& theta() const { return theta_; }
  const Policy& policy() const { return policy_; }

 private:
  DecisionProblem<Model, Map, StartRule> problem_;
  Policy policy_;
  Improve improve_;
  EvaluationOptions options_;
  Execution execution_;
  std::vector<double> theta_;
  int iteration_ = 0;
};

}  // namespace shortfall::learn

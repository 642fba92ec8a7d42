#pragma once

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

#include "shortfall/features/feature_map.hpp"
#include "shortfall/learn/scenarios.hpp"
#include "shortfall/mdp/generative_model.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::learn {

/// A decision process that can be simulated and lists its actions: actions(x) is a range, not empty
/// unless x is terminal.
template <class M, class G>
concept FiniteActionModel = GenerativeModel<M, G> &&
    requires(const M& model, const typename M::State& x) {
  model.actions(x).begin();
};

/// The risk of S equally likely costs, with a cheaper test against a threshold. Reuses its memory.
class SampledRisk {
 public:
  SampledRisk(AnyLoss loss, std::size_t samples);

  std::span<double> costs() { return costs_; }
  double risk() const;
  /// Whether the risk is below v: one sum, E ℓ(X - v) < 0, without root finding.
  bool is_below(double v) const;

 private:
  AnyLoss loss_;
  std::vector<double> costs_;
  std::vector<double> probabilities_;
};

/// argmin over a of ρ(c + γ V(X')) in state x, with the law of (c, X') replaced by transitions
/// whose k-th is drawn from the random bits `draws(a, k)`; ties go to the first action. `value(x)`
/// is V at a non-terminal state; `memory` has as many costs as there are transitions.
template <class Model, class Value, class Draws>
requires FiniteActionModel<Model, Scenarios::Bits>
typename Model::Action greedy_by_draws(const Model& model, const Value& value, double gamma,
                                       const typename Model::State& x, const Draws& draws,
                                       SampledRisk& memory) {
  const auto actions = model.actions(x);
  auto best = *actions.begin();
  double lowest = 0.0;
  bool is_first = true;
  for (const auto& a : actions) {
    for (std::size_t k = 0; k < memory.costs().size(); ++k) {
      Scenarios::Bits bits = draws(a, k);
      const auto [cost, next] = model.step(x, a, bits);
      memory.costs()[k] = cost + (model.is_terminal(next) ? 0.0 : gamma * value(next));
    }
    if (!is_first && !memory.is_below(lowest)) continue;
    const double risk = memory.risk();
    if (!is_first && !(risk < lowest)) continue;  // equal up to the rounding of roots
    is_first = false;
    lowest = risk;
    best = a;
  }
  return best;
}

/// The same under scenarios, which all actions have in common.
template <class Model, class Value>
requires FiniteActionModel<Model, Scenarios::Bits>
typename Model::Action greedy_action(const Model& model, const Value& value, double gamma,
                                     const typename Model::State& x, const Scenarios& scenarios,
                                     SampledRisk& memory) {
  const auto draws = [&](const typename Model::Action&, std::size_t k) { return scenarios[k]; };
  return greedy_by_draws(model, value, gamma, x, draws, memory);
}

/// V(x) = φ(x)ᵀθ as a function of the state, one object per thread. Holds a reference to
/// the features.
template <class Map>
class LinearValue {
 public:
  LinearValue(const Map& features, std::span<const double> theta)
      : features_(&features), theta_(theta.begin(), theta.end()), phi_(theta.size()) {}

  template <class State>
  requires features::FeatureMap<Map, State>
  double operator()(const State& x) const {
    features_->write(x, phi_);
    double sum = 0.0;
    for (std::size_t j = 0; j < phi_.size(); ++j) sum += theta_[j] * phi_[j];
    return sum;
  }

 private:
  const Map* features_;
  std::vector<double> theta_;
  mutable std::vector<double> phi_;
};

/// The greedy policy of V = φᵀθ as a function of the state, computed on demand: for models whose
/// states cannot be listed. Holds references to the model and the features.
template <class Model, class Map>
requires features::FeatureMap<Map, typename Model::State>
class GreedyPolicy {
 public:
  GreedyPolicy(const Model& model, LinearValue<Map> value, AnyLoss loss, double gamma,
               Scenarios scenarios)
      : model_(&model),
        value_(std::move(value)),
        gamma_(gamma),
        scenarios_(std::move(scenarios)),
        memory_(std::move(loss), scenarios_.size()) {}

  typename Model::Action operator()(const typename Model::State& x) const {
    const LinearValue<Map> value = value_;  // several threads may call at once
    SampledRisk memory = memory_;
    return greedy_action(*model_, value, gamma_, x, scenarios_, memory);
  }

 private:
  const Model* model_;
  LinearValue<Map> value_;
  double gamma_;
  Scenarios scenarios_;
  SampledRisk memory_;
};

}  // namespace shortfall::learn

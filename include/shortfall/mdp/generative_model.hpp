#pragma once

#include <concepts>

#include "shortfall/mdp/random_bits.hpp"

/// Models that can be simulated, which is all that learning requires. The samplers of sampler.hpp
/// turn explicit models into generative ones; others need never list their outcomes.
namespace shortfall {

/// The cost and the next state of one transition.
template <class State>
struct Step {
  double cost;
  State next;
};

/// A chain that can be simulated.
///
///   State           a type for its states
///   step(x, bits)   draws (cost, next) from the law in x, which must not be terminal
///   is_terminal(x)  whether the chain ends in x; such a state has value 0
template <class M, class G>
concept GenerativeChain = RandomBits<G> &&
    requires(const M& model, const typename M::State& x, G& bits) {
  { model.step(x, bits) } -> std::same_as<Step<typename M::State>>;
  { model.is_terminal(x) } -> std::same_as<bool>;
};

/// A decision process that can be simulated: as above with an action, of type `Action`.
template <class M, class G>
concept GenerativeModel = RandomBits<G> &&
    requires(const M& model, const typename M::State& x, const typename M::Action& a, G& bits) {
  { model.step(x, a, bits) } -> std::same_as<Step<typename M::State>>;
  { model.is_terminal(x) } -> std::same_as<bool>;
};

}  // namespace shortfall

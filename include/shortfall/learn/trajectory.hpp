#pragma once

#include <concepts>
#include <span>
#include <utility>

#include "shortfall/mdp/alias_table.hpp"
#include "shortfall/mdp/generative_model.hpp"
#include "shortfall/mdp/outcomes.hpp"

namespace shortfall::learn {

/// Where a chain starts and restarts: start(bits) draws a state.
template <class S, class State, class G>
concept Start = RandomBits<G> && requires(const S& start, G& bits) {
  { start(bits) } -> std::convertible_to<State>;
};

/// Always in the same state. Draws nothing.
template <class State>
struct StartAt {
  State x;

  template <RandomBits G>
  const State& operator()(G&) const {
    return x;
  }
};
template <class State>
StartAt(State) -> StartAt<State>;

/// From a law on the states 0..n-1, as AliasTable takes it. One draw.
class StartLaw {
 public:
  explicit StartLaw(std::span<const double> probabilities) : law_(probabilities) {}

  template <RandomBits G>
  StateIndex operator()(G& bits) const {
    return static_cast<StateIndex>(law_(bits));
  }

 private:
  AliasTable law_;
};

namespace detail {
[[noreturn]] void throw_terminal_start();
}

/// One transition of a path.
template <class State>
struct Transition {
  State x;
  double cost;
  State next;
  bool ends;      ///< `next` is terminal and has value 0
  bool restarts;  ///< the path continues from a new start, not from `next`; always true if it ends
};

/// The path of a chain, restarted after each end and, with a given probability p, after any step.
/// Holds a reference to the chain.
///
/// Restarts keep a path from being trapped in a few states, at little cost: with ν the law of
/// starts, the path has a stationary law ξ ≥ (1 - p) ξ P, under which ‖P‖_ξ ≤ 1/√(1 - p). So
/// whatever is proved for learners from ‖P‖_q ≤ 1 holds here with γ/√(1 - p) in place of γ,
/// including the conditions on γ.
template <class Chain, class StartRule>
class Trajectory {
 public:
  using State = typename Chain::State;

  /// Throws InvalidInput if the chain would start in a terminal state, here and in `step`.
  template <RandomBits G>
  requires GenerativeChain<Chain, G> && Start<StartRule, State, G> Trajectory(const Chain& chain,
                                                                              StartRule start,
                                                                              G& bits,
                                                                              double restart = 0.0)
      : chain_(&chain), start_(std::move(start)), restart_(restart), x_(begin(bits)) {}

  /// The start of the next transition.
  const State& state() const { return x_; }

  template <RandomBits G>
  Transition<State> step(G& bits) {
    const Step<State> drawn = chain_->step(x_, bits);
    const bool ends = chain_->is_terminal(drawn.next);
    const bool restarts = ends || (restart_ > 0.0 && draw_uniform(bits) < restart_);
    const Transition<State> transition{x_, drawn.cost, drawn.next, ends, restarts};
    x_ = restarts ? begin(bits) : drawn.next;
    return transition;
  }

 private:
  template <RandomBits G>
  State begin(G& bits) const {
    State x = start_(bits);
    if (chain_->is_terminal(x)) detail::throw_terminal_start();
    return x;
  }

  const Chain* chain_;
  StartRule start_;
  double restart_;
  State x_;
};

}  // namespace shortfall::learn

#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "shortfall/learn/action_values.hpp"
#include "shortfall/learn/detail/tabular_update.hpp"
#include "shortfall/learn/step_size.hpp"
#include "shortfall/mdp/sampler.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::learn {

/// Chooses a row in a state, given the current Q: explore(q, x, bits).
template <class E, class G>
concept Exploration = RandomBits<G> && requires(const E& explore, const ActionValues& q, G& bits) {
  { explore(q, StateIndex{}, bits) } -> std::same_as<std::size_t>;
};

/// Risk-sensitive Q-learning (Shen, Tobia, Sommer, Obermayer, Neural Computation 26, 2014), here
/// for costs:
///
///   Q(x, a) ← Q(x, a) + η_n ℓ(c + γ min over a' of Q(X', a') - Q(x, a)),   Q = 0 at first,
///
/// with n the number of earlier updates of the pair, and 0 for the minimum in a terminal state. It
/// converges to the optimal Q, with min over a of Q(x, a) = V*(x) of dp/solve.hpp, if the slopes of
/// ℓ are bounded, the steps are as in step_size.hpp, γ < 1 and every pair is updated infinitely
/// often. Updates allocate nothing. Once a number is out of range the status is `diverged`, and the
/// table no longer changes.
///
///   QLearning learner(model, Expectile(0.9), 0.9);
///   StateIndex x = 0;
///   while (...) {
///     x = learner.step(sampler, x, EpsilonGreedy(0.1), bits);
///     if (sampler.is_terminal(x)) x = 0;
///   }
template <Loss L = AnyLoss, StepSize S = PolynomialStep>
class QLearning {
 public:
  /// Throws InvalidInput unless γ is in [0, 1]. Copies the actions of the model and needs
  /// no more of it.
  QLearning(const Mdp& model, L loss, double gamma, S step = S())
      : update_(std::move(loss), gamma),
        step_(std::move(step)),
        q_(model),
        visits_(q_.rows()),
        values_(q_.states()) {}

  /// Learns from one transition. Throws InvalidInput if the states or the action do not exist.
  LearnerStatus update(StateIndex x, ActionIndex a, double cost, StateIndex next) {
    if (next >= q_.states()) detail::throw_no_state(next, q_.states());
    return update_row(q_.row(x, a), cost, q_.value(next));
  }

  /// One transition along a trajectory from x, which must not be terminal: chooses, draws, updates,
  /// and returns the next state. Throws InvalidInput for a model with other states or actions, and
  /// if x has no actions.
  template <RandomBits G, Exploration<G> E>
  StateIndex step(const MdpSampler& model, StateIndex x, const E& explore, G& bits) {
    q_.check_states(model.states());
    if (x >= q_.states() || q_.action_count(x) == 0) detail::throw_no_state(x, q_.states());
    const std::size_t row = explore(q_, x, bits);
    const auto [cost, next] = model.step(x, q_.action(row), bits);
    (void)update_row(row, cost, q_.value(next));
    return next;
  }

  /// Updates all pairs from the same Q, with one sample for each, drawn in the order of rows.
  /// Throws InvalidInput for a model with other states or actions.
  template <RandomBits G>
  LearnerStatus sweep(const MdpSampler& model, G& bits) {
    q_.check_states(model.states());
    for (std::size_t x = 0; x < values_.size(); ++x) {
      values_[x] = q_.value(static_cast<StateIndex>(x));
    }
    std::size_t row = 0;
    for (StateIndex x = 0; x < values_.size(); ++x) {
      for (const std::size_t end = row + q_.action_count(x); row < end; ++row) {
        const auto [cost, next] = model.step(x, q_.action(row), bits);
        if (update_row(row, cost, values_[next]) == LearnerStatus::diverged) return status();
      }
    }
    return status();
  }

  const ActionValues& q() const { return q_; }
  std::vector<double> values() const { return q_.values(); }         ///< min over a of Q(x, a)
  Policy policy() const { return q_.policy(); }                      ///< greedy
  std::span<const std::uint64_t> visits() const { return visits_; }  ///< updates by row
  LearnerStatus status() const { return update_.status(); }

 private:
  LearnerStatus update_row(std::size_t row, double cost, double value_next) {
    if (status() == LearnerStatus::diverged) return status();
    q_[row] = update_(q_[row], step_(visits_[row]), cost, value_next);
    if (status() != LearnerStatus::diverged) ++visits_[row];
    return status();
  }

  TabularUpdate<L> update_;
  S step_;
  ActionValues q_;
  std::vector<std::uint64_t> visits_;
  std::vector<double> values_;
};

}  // namespace shortfall::learn

#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "shortfall/learn/detail/tabular_update.hpp"
#include "shortfall/learn/step_size.hpp"
#include "shortfall/mdp/generative_model.hpp"
#include "shortfall/risk/any_loss.hpp"

/// Stochastic value iteration: the value of a chain from samples, one number per state,
///
///   V_{n+1}(x) = V_n(x) + η_n ℓ(c + γ V_n(X') - V_n(x)),   V_0 = 0.
///
/// It is stochastic approximation of the root of E ℓ(c + γ V(X') - V(x)) = 0, which is the exact
/// value. Where the slopes of ℓ are in [ε₁, L₁] and η ≤ 1/L₁, the mean of a step is a contraction
/// of modulus 1 - η ε₁ (1 - γ) in the sup norm, so that it converges for every γ < 1, unlike with
/// features (Shen, Tobia, Sommer, Obermayer, "Risk-sensitive reinforcement learning", Neural
/// Computation 26, 2014). With ℓ(x) = x, γ = 0 and η_n = 1/(n + 1), V_n is the average of n costs.
///
/// A terminal state has value 0; γ = 1 makes sense for chains that end. Updates allocate
/// nothing. Once a value is out of range the status is `diverged`, and values stay at the last
/// ones in range.
namespace shortfall::learn {

/// All states at once: each V_{n+1}(x) is computed from V_n, with its own sample.
template <Loss L = AnyLoss, StepSize S = PolynomialStep>
class SynchronousValueIteration {
 public:
  /// Throws InvalidInput unless γ is in [0, 1].
  SynchronousValueIteration(std::size_t states, L loss, double gamma, S step = S())
      : update_(std::move(loss), gamma), step_(std::move(step)), values_(states), next_(states) {}

  /// One iteration on a chain with states 0..N-1, sampled in this order. Throws InvalidInput if the
  /// chain moves to any other state.
  template <class Chain, RandomBits G>
  requires GenerativeChain<Chain, G> && std::same_as<typename Chain::State, StateIndex>
      LearnerStatus sweep(const Chain& chain, G& bits) {
    if (status() == LearnerStatus::diverged) return status();
    const double eta = step_(sweeps_);
    for (std::size_t x = 0; x < values_.size(); ++x) {
      const auto state = static_cast<StateIndex>(x);
      if (chain.is_terminal(state)) continue;
      const auto [cost, next] = chain.step(state, bits);
      if (next >= values_.size()) detail::throw_no_state(next, values_.size());
      next_[x] = update_(values_[x], eta, cost, values_[next]);
      if (status() == LearnerStatus::diverged) return status();
    }
    values_.swap(next_);
    ++sweeps_;
    return status();
  }

  std::span<const double> values() const { return values_; }
  std::uint64_t sweeps() const { return sweeps_; }
  LearnerStatus status() const { return update_.status(); }

 private:
  TabularUpdate<L> update_;
  S step_;
  std::vector<double> values_;
  std::vector<double> next_;
  std::uint64_t sweeps_ = 0;
};

/// One state at a time, as a trajectory or a stream provides them; n is the number of earlier
/// updates of x. A state that is never updated, such as a terminal one, keeps the value 0.
///
///   AsynchronousValueIteration iteration(chain.states(), Expectile(0.9), 0.9);
///   Trajectory path(chain, StartAt{StateIndex{0}}, bits);
///   while (...) {
///     const auto [x, cost, next, ends, restarts] = path.step(bits);
///     iteration.update(x, cost, next);
///   }
template <Loss L = AnyLoss, StepSize S = PolynomialStep>
class AsynchronousValueIteration {
 public:
  /// Throws InvalidInput unless γ is in [0, 1].
  AsynchronousValueIteration(std::size_t states, L loss, double gamma, S step = S())
      : update_(std::move(loss), gamma), step_(std::move(step)), values_(states), visits_(states) {}

  /// Throws InvalidInput if x or next is not a state.
  LearnerStatus update(StateIndex x, double cost, StateIndex next) {
    if (x >= values_.size()) detail::throw_no_state(x, values_.size());
    if (next >= values_.size()) detail::throw_no_state(next, values_.size());
    if (status() == LearnerStatus::diverged) return status();
    values_[x] = update_(values_[x], step_(visits_[x]), cost, values_[next]);
    if (status() != LearnerStatus::diverged) ++visits_[x];
    return status();
  }

  std::span<const double> values() const { return values_; }
  std::span<const std::uint64_t> visits() const { return visits_; }  ///< updates by state
  LearnerStatus status() const { return update_.status(); }

 private:
  TabularUpdate<L> update_;
  S step_;
  std::vector<double> values_;
  std::vector<std::uint64_t> visits_;
};

}  // namespace shortfall::learn

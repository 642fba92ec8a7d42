#pragma once

#include <concepts>
#include <cstdint>
#include <span>

#include "shortfall/features/sparse_features.hpp"
#include "shortfall/learn/status.hpp"

namespace shortfall::learn {

/// Online policy evaluation with linear features, as a value: copying one copies its whole state.
///
///   update(φ, c, φ')        learns from a transition
///   update_terminal(φ, c)   learns from an episode's last transition; the value after it is 0
///   start_episode()         the next transition does not continue the last one
///   value(φ), theta()       the result so far
///   status(), updates()     the state of the learner, and the number of transitions seen
template <class A>
concept Learner = std::copy_constructible<A> &&
    requires(A learner, const A& view, std::span<const double> phi, double cost) {
  { learner.update(phi, cost, phi) } -> std::same_as<LearnerStatus>;
  { learner.update_terminal(phi, cost) } -> std::same_as<LearnerStatus>;
  { view.value(phi) } -> std::same_as<double>;
  { view.theta() } -> std::same_as<std::span<const double>>;
  { view.dimension() } -> std::same_as<std::size_t>;
  { view.updates() } -> std::same_as<std::uint64_t>;
  { view.status() } -> std::same_as<LearnerStatus>;
};

using features::SparseFeatures;

/// One that also takes features of which only those are listed that are not zero.
template <class A>
concept SparseLearner = Learner<A> && requires(A learner, const A& view, SparseFeatures phi) {
  { learner.update(phi, 0.0, phi) } -> std::same_as<LearnerStatus>;
  { learner.update_terminal(phi, 0.0) } -> std::same_as<LearnerStatus>;
  { view.value(phi) } -> std::same_as<double>;
};

}  // namespace shortfall::learn

#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "shortfall/learn/averaged.hpp"
#include "shortfall/learn/newton.hpp"
#include "shortfall/learn/step_size.hpp"
#include "shortfall/learn/td.hpp"
#include "shortfall/learn/td_lambda.hpp"
#include "shortfall/names.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::learn {

/// A step size chosen at run time.
class AnyStep {
 public:
  AnyStep() = default;
  AnyStep(PolynomialStep step) : step_(step) {}  // NOLINT(google-explicit-constructor)
  AnyStep(ConstantStep step) : step_(step) {}    // NOLINT(google-explicit-constructor)

  /// Parses `B1,B2,DELTA` for b₁/(n + b₂)^δ, or `ETA` for a constant step. Throws InvalidInput.
  static AnyStep parse(std::string_view spec);
  std::string to_string() const;

  double operator()(std::uint64_t n) {
    return std::visit([at = std::min(n, last_)](auto& step) { return step(at); }, step_);
  }
  /// Steps that no longer decrease after this many updates.
  AnyStep held_after(std::uint64_t updates) const {
    AnyStep held = *this;
    held.last_ = updates;
    return held;
  }
  theory::Assumption assumption() const {
    return std::visit([](const auto& step) { return step.assumption(); }, step_);
  }

 private:
  std::variant<PolynomialStep, ConstantStep> step_;
  std::uint64_t last_ = std::numeric_limits<std::uint64_t>::max();
};

enum class Algorithm { td, td_lambda, newton };
inline constexpr Names<Algorithm, 3> algorithm_names{
    {{"td", Algorithm::td}, {"td-lambda", Algorithm::td_lambda}, {"newton", Algorithm::newton}}};
constexpr std::string_view to_string(Algorithm algorithm) {
  return name_of(algorithm, algorithm_names);
}

/// All parameters of a learner except its dimension.
struct LearnerOptions {
  Algorithm algorithm = Algorithm::td;
  AnyLoss loss;
  double gamma;
  double lambda = 0.0;  ///< of td_lambda
  AnyStep step = {};    ///< of td and td_lambda
  /// Of td and td_lambda: report the mean of the iterates after this many updates, not the last.
  std::optional<std::uint64_t> average_from = {};
  NewtonOptions newton = {};
  /// For a world that changes, the half-life h of what was learned, in updates: of Newton's samples
  /// and of averages. TD's steps no longer decrease after h / ln 2 updates, where a mean of all
  /// samples would have that half-life.
  std::optional<double> half_life = {};
};

/// Transitions in the order in which they occurred: `phi` and `phi_next` have d numbers for each,
/// one transition after the other. If `terminal` is not empty, a nonzero entry marks the last
/// transition of an episode, and its row of `phi_next` is ignored. If `weight` is empty, all are 1.
struct Transitions {
  std::span<const double> phi;
  std::span<const double> cost;
  std::span<const double> phi_next;
  std::span<const std::uint8_t> terminal = {};
  std::span<const double> weight = {};
  std::size_t first = 0;  ///< the number of the first transition in messages
};

/// A learner chosen at run time; itself a Learner. The choice costs a few nanoseconds an update.
class AnyLearner {
 public:
  AnyLearner(std::size_t dimension, const LearnerOptions& options);

  LearnerStatus update(std::span<const double> phi, double cost, std::span<const double> phi_next,
                       double weight = 1.0) {
    return std::visit([&](auto& a) { return a.update(phi, cost, phi_next, weight); }, learner_);
  }
  LearnerStatus update_terminal(std::span<const double> phi, double cost, double weight = 1.0) {
    return std::visit([&](auto& a) { return a.update_terminal(phi, cost, weight); }, learner_);
  }
  /// Equivalent to one update after the other, until one of them diverges. Throws InvalidInput if
  /// lengths do not match, before learning anything, and if a number is not finite, after learning
  /// from the transitions before it; the message names the transition.
  LearnerStatus update_many(const Transitions& given);

  /// Starts from another θ than zero. Throws InvalidInput after the first update.
  void start_from(std::span<const double> theta) {
    std::visit([&](auto& a) { a.start_from(theta); }, learner_);
  }
  void start_episode() {
    std::visit([](auto& a) { a.start_episode(); }, learner_);
  }
  double value(std::span<const double> phi) const {
    return std::visit([&](const auto& a) { return a.value(phi); }, learner_);
  }
  std::span<const double> theta() const {
    return std::visit([](const auto& a) { return a.theta(); }, learner_);
  }
  std::size_t dimension() const {
    return std::visit([](const auto& a) { return a.dimension(); }, learner_);
  }
  std::uint64_t updates() const {
    return std::visit([](const auto& a) { return a.updates(); }, learner_);
  }
  LearnerStatus status() const {
    return std::visit([](const auto& a) { return a.status(); }, learner_);
  }
  double last_loss() const {
    return std::visit([](const auto& a) { return a.last_loss(); }, learner_);
  }
  double effective_samples() const {
    return std::visit([](const auto& a) { return a.effective_samples(); }, learner_);
  }
  /// An interval for the value at φ; see Newton and Averaged. Throws InvalidInput for last iterates
  /// of TD, which have none, and for averages of steps that do not decrease.
  Interval interval(std::span<const double> phi, const IntervalOptions& options = {}) const;
  /// Newton's statistics of its samples; null for the other algorithms.
  const InformationMatrix* information() const;

  template <class Archive>
  void archive(Archive& state) {
    std::visit([&](auto& a) { a.archive(state); }, learner_);
  }

 private:
  using TdAny = Td<AnyLoss, AnyStep>;
  using TdLambdaAny = TdLambda<AnyLoss, AnyStep>;
  using Variant =
      std::variant<TdAny, TdLambdaAny, Averaged<TdAny>, Averaged<TdLambdaAny>, Newton<AnyLoss>>;
  static Variant make(std::size_t dimension, const LearnerOptions& options);

  Variant learner_;
  bool steps_decrease_;  // as averages need for their intervals
};

}  // namespace shortfall::learn

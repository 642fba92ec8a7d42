#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "shortfall/learn/any_step.hpp"
#include "shortfall/learn/averaged.hpp"
#include "shortfall/learn/averager_newton.hpp"
#include "shortfall/learn/averager_td.hpp"
#include "shortfall/learn/newton.hpp"
#include "shortfall/learn/td.hpp"
#include "shortfall/learn/td_lambda.hpp"
#include "shortfall/names/names.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::learn {

enum class Algorithm { td, td_lambda, newton, averager_td, averager_newton };
inline constexpr Names<Algorithm, 5> algorithm_names{
    {{"td", Algorithm::td},
     {"td-lambda", Algorithm::td_lambda},
     {"newton", Algorithm::newton},
     {"averager-td", Algorithm::averager_td},
     {"averager-newton", Algorithm::averager_newton}}};
constexpr std::string_view to_string(Algorithm algorithm) {
  return name_of(algorithm, algorithm_names);
}
/// Whether it takes only features that are nonnegative and sum to at most 1.
constexpr bool is_averager(Algorithm algorithm) {
  return algorithm == Algorithm::averager_td || algorithm == Algorithm::averager_newton;
}
/// Whether it is a Newton method, with a matrix and a warm-up; the others have steps.
constexpr bool is_newton(Algorithm algorithm) {
  return algorithm == Algorithm::newton || algorithm == Algorithm::averager_newton;
}

/// All parameters of a learner except its dimension.
struct LearnerOptions {
  Algorithm algorithm = Algorithm::td;
  AnyLoss loss;
  double gamma;
  double lambda = 0.0;  ///< for td_lambda
  AnyStep step = {};    ///< not for Newton; scaled by default (any_step.hpp)
  /// Not for Newton: report the mean of all iterates after this many updates.
  std::optional<std::uint64_t> average_from = {};
  NewtonOptions newton = {};  ///< for newton and averager_newton
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

/// Rows of features of which only the active ones are listed, as in a compressed sparse matrix: row
/// i has the entries begin[i] to begin[i + 1] of `index` and `value`.
struct SparseRows {
  std::span<const std::size_t> begin;  ///< one more than there are rows, from 0, not decreasing
  std::span<const std::uint32_t> index;
  std::span<const double> value;

  std::size_t size() const { return begin.empty() ? 0 : begin.size() - 1; }
  SparseFeatures row(std::size_t i) const {
    const std::size_t count = begin[i + 1] - begin[i];
    return {index.subspan(begin[i], count), value.subspan(begin[i], count)};
  }
};

/// As Transitions, with sparse features.
struct SparseTransitions {
  SparseRows phi;
  std::span<const double> cost;
  SparseRows phi_next;
  std::span<const std::uint8_t> terminal = {};
  std::span<const double> weight = {};
  std::size_t first = 0;
};

/// A learner chosen at run time; itself a Learner. The choice costs a few nanoseconds per update.
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

  /// The same with sparse features. Averagers take a time that depends on the active features
  /// alone, but for averages; the other algorithms take O(d), and allocate at the first call.
  LearnerStatus update(const SparseFeatures& phi, double cost, const SparseFeatures& phi_next,
                       double weight = 1.0);
  LearnerStatus update_terminal(const SparseFeatures& phi, double cost, double weight = 1.0);
  LearnerStatus update_many(const SparseTransitions& given);
  double value(const SparseFeatures& phi) const;

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
  /// How much values still move, as a share of the largest, where that is judged: for scaled steps
  /// without a half-life; see Td. None if it cannot be told yet.
  std::optional<double> movement() const;
  /// An interval for the value at φ; see Newton and Averaged. Throws InvalidInput for last iterates
  /// of TD, which have none, and for averages of steps that do not decrease.
  Interval interval(std::span<const double> phi, const IntervalOptions& options = {}) const;
  /// The statistics that a Newton method has of its samples; null for the other algorithms.
  const InformationMatrix* information() const;

  template <class Archive>
  void archive(Archive& state) {
    std::visit([&](auto& a) { a.archive(state); }, learner_);
  }

 private:
  using TdAny = Td<AnyLoss, AnyStep>;
  using TdLambdaAny = TdLambda<AnyLoss, AnyStep>;
  using AveragerAny = AveragerTd<AnyLoss, AnyStep>;
  using Variant =
      std::variant<TdAny, TdLambdaAny, AveragerAny, Averaged<TdAny>, Averaged<TdLambdaAny>,
                   Averaged<AveragerAny>, Newton<AnyLoss>, AveragerNewton<AnyLoss>>;
  static Variant make(std::size_t dimension, const LearnerOptions& options);
  std::span<const double> dense(const SparseFeatures& phi, std::vector<double>& memory) const;

  Variant learner_;
  std::vector<double> phi_, phi_next_;  // sparse features for algorithms that take dense ones
  bool steps_decrease_;                 // as averages need for their intervals
};

}  // namespace shortfall::learn

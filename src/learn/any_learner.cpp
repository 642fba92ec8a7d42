#include "shortfall/learn/any_learner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <type_traits>
#include <utility>
#include <vector>

#include "errors/require.hpp"
#include "shortfall/errors/error.hpp"

namespace shortfall::learn {

namespace {

AnyStep held_step(const AnyStep& step, double half_life) {
  detail::check_half_life(half_life);
  return step.held_after(static_cast<std::uint64_t>(half_life / std::numbers::ln2));
}

/// One update after the other; row(rows, i) are the features of row i.
template <class A, class Given, class Row>
void update_each(A& learner, const Given& given, const Row& row) {
  std::size_t i = 0;
  try {
    for (; i < given.cost.size() && learner.status() != LearnerStatus::diverged; ++i) {
      const double weight = given.weight.empty() ? 1.0 : given.weight[i];
      if (!given.terminal.empty() && given.terminal[i] != 0) {
        (void)learner.update_terminal(row(given.phi, i), given.cost[i], weight);
      } else {
        (void)learner.update(row(given.phi, i), given.cost[i], row(given.phi_next, i), weight);
      }
    }
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("transition {}: {}", given.first + i, error.what()));
  }
}

void check_rows(const SparseRows& rows) {
  require(rows.index.size() == rows.value.size(),
          "{} indices with {} values; accepted: one value for each index", rows.index.size(),
          rows.value.size());
  for (std::size_t i = 0; i < rows.begin.size(); ++i) {
    const std::size_t least = i == 0 ? 0 : rows.begin[i - 1];
    require(rows.begin[i] >= least && rows.begin[i] <= rows.index.size(),
            "row {} of features begins at entry {}; accepted: {} to {}", i, rows.begin[i], least,
            rows.index.size());
  }
}

}  // namespace

AnyLearner::AnyLearner(std::size_t dimension, const LearnerOptions& options)
    : learner_(make(dimension, options)), steps_decrease_(options.step.assumption().holds) {}

AnyLearner::Variant AnyLearner::make(std::size_t d, const LearnerOptions& options) {
  const auto averaged_or_not = [&](auto learner) -> Variant {
    if (!options.average_from) return learner;
    return Averaged(std::move(learner), *options.average_from, options.half_life);
  };
  const AnyStep step =
      options.half_life ? held_step(options.step, *options.half_life) : options.step;
  switch (options.algorithm) {
    case Algorithm::td:
      return averaged_or_not(TdAny(d, options.loss, options.gamma, step));
    case Algorithm::td_lambda:
      return averaged_or_not(TdLambdaAny(d, options.loss, options.gamma, options.lambda, step));
    case Algorithm::averager_td:
      return averaged_or_not(AveragerAny(d, options.loss, options.gamma, step));
    case Algorithm::newton:
    case Algorithm::averager_newton:
      break;
  }
  NewtonOptions newton = options.newton;
  if (options.half_life) newton.half_life = options.half_life;
  if (options.algorithm == Algorithm::newton)
    return Newton<AnyLoss>(d, options.loss, options.gamma, newton);
  return AveragerNewton<AnyLoss>(d, options.loss, options.gamma, newton);
}

LearnerStatus AnyLearner::update_many(const Transitions& given) {
  const std::size_t d = dimension();
  const std::size_t count = given.cost.size();
  require(given.phi.size() == count * d && given.phi_next.size() == count * d &&
              (given.terminal.empty() || given.terminal.size() == count) &&
              (given.weight.empty() || given.weight.size() == count),
          "{} costs with {} and {} features, {} terminal flags and {} weights; accepted: for each "
          "cost {} features of the state and {} of the next, and one terminal flag and weight, or "
          "none at all",
          count, given.phi.size(), given.phi_next.size(), given.terminal.size(),
          given.weight.size(), d, d);
  const auto update_all = [&](auto& learner) {
    update_each(learner, given, [&](std::span<const double> rows, std::size_t i) {
      return rows.subspan(i * d, d);
    });
  };
  std::visit(update_all, learner_);
  return status();
}

LearnerStatus AnyLearner::update_many(const SparseTransitions& given) {
  const std::size_t count = given.cost.size();
  require(given.phi.size() == count && given.phi_next.size() == count &&
              (given.terminal.empty() || given.terminal.size() == count) &&
              (given.weight.empty() || given.weight.size() == count),
          "{} costs with {} and {} rows of features, {} terminal flags and {} weights; accepted: "
          "for each cost a row of the state and one of the next, and one terminal flag and weight, "
          "or none at all",
          count, given.phi.size(), given.phi_next.size(), given.terminal.size(),
          given.weight.size());
  check_rows(given.phi);
  check_rows(given.phi_next);
  update_each(*this, given, [](const SparseRows& rows, std::size_t i) { return rows.row(i); });
  return status();
}

/// Scatters sparse features to d numbers.
std::span<const double> AnyLearner::dense(const SparseFeatures& phi,
                                          std::vector<double>& memory) const {
  features::check_sparse(phi, dimension());
  memory.resize(dimension());
  features::write_dense(phi, memory);
  return memory;
}

LearnerStatus AnyLearner::update(const SparseFeatures& phi, double cost,
                                 const SparseFeatures& phi_next, double weight) {
  const auto learn = [&](auto& learner) {
    if constexpr (SparseLearner<std::remove_cvref_t<decltype(learner)>>) {
      return learner.update(phi, cost, phi_next, weight);
    } else {
      return learner.update(dense(phi, phi_), cost, dense(phi_next, phi_next_), weight);
    }
  };
  return std::visit(learn, learner_);
}

LearnerStatus AnyLearner::update_terminal(const SparseFeatures& phi, double cost, double weight) {
  const auto learn = [&](auto& learner) {
    if constexpr (SparseLearner<std::remove_cvref_t<decltype(learner)>>) {
      return learner.update_terminal(phi, cost, weight);
    } else {
      return learner.update_terminal(dense(phi, phi_), cost, weight);
    }
  };
  return std::visit(learn, learner_);
}

double AnyLearner::value(const SparseFeatures& phi) const {
  features::check_sparse(phi, dimension());
  if (status() == LearnerStatus::diverged) detail::throw_diverged(updates());
  return detail::sparse_dot(theta().data(), phi);
}

Interval AnyLearner::interval(std::span<const double> phi, const IntervalOptions& options) const {
  const auto of = [&](const auto& learner) -> Interval {
    if constexpr (requires { learner.interval(phi, options); }) {
      require(steps_decrease_ || information() != nullptr,
              "an interval for averages of constant steps, whose bias it would not show; accepted: "
              "decreasing steps, or Newton");
      return learner.interval(phi, options);
    } else {
      throw InvalidInput(
          "an interval for TD without average_from; accepted: with average_from, or Newton");
    }
  };
  return std::visit(of, learner_);
}

std::optional<double> AnyLearner::movement() const {
  const auto of = [](const auto& learner) -> std::optional<double> {
    if constexpr (requires { learner.movement(); }) return learner.movement();
    return {};
  };
  return std::visit(of, learner_);
}

const InformationMatrix* AnyLearner::information() const {
  const auto of = [](const auto& learner) -> const InformationMatrix* {
    if constexpr (requires { learner.information(); }) return &learner.information();
    return nullptr;
  };
  return std::visit(of, learner_);
}

}  // namespace shortfall::learn

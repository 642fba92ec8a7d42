#include "shortfall/learn/any_learner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numbers>
#include <utility>
#include <vector>

#include "require.hpp"
#include "shortfall/error.hpp"
#include "text/number.hpp"
#include "text/text.hpp"

namespace shortfall::learn {

AnyStep AnyStep::parse(std::string_view spec) {
  std::vector<double> numbers;
  for (const std::string_view part : io::split(spec, ',')) {
    if (const auto value = io::parse_finite_number(part)) numbers.push_back(*value);
  }
  const auto commas = static_cast<std::size_t>(std::ranges::count(spec, ','));
  if (commas == 0 && numbers.size() == 1) return ConstantStep(numbers[0]);
  if (commas == 2 && numbers.size() == 3) return PolynomialStep(numbers[0], numbers[1], numbers[2]);
  throw InvalidInput(fmt::format(
      "step size '{}'; accepted: B1,B2,DELTA for B1/(n + B2)^DELTA, or one number for a constant",
      spec));
}

std::string AnyStep::to_string() const {
  if (const auto* constant = std::get_if<ConstantStep>(&step_)) {
    return fmt::format("{}", constant->eta());
  }
  const auto& step = std::get<PolynomialStep>(step_);
  return fmt::format("{},{},{}", step.b1(), step.b2(), step.delta());
}

namespace {

AnyStep held_step(const AnyStep& step, double half_life) {
  detail::check_half_life(half_life);
  return step.held_after(static_cast<std::uint64_t>(half_life / std::numbers::ln2));
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
    case Algorithm::newton:
      break;
  }
  NewtonOptions newton = options.newton;
  if (options.half_life) newton.half_life = options.half_life;
  return Newton<AnyLoss>(d, options.loss, options.gamma, newton);
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
  std::size_t i = 0;
  const auto update_all = [&](auto& learner) {
    for (; i < count && learner.status() != LearnerStatus::diverged; ++i) {
      const std::span<const double> phi = given.phi.subspan(i * d, d);
      const double weight = given.weight.empty() ? 1.0 : given.weight[i];
      if (!given.terminal.empty() && given.terminal[i] != 0) {
        (void)learner.update_terminal(phi, given.cost[i], weight);
      } else {
        (void)learner.update(phi, given.cost[i], given.phi_next.subspan(i * d, d), weight);
      }
    }
  };
  try {
    std::visit(update_all, learner_);
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("transition {}: {}", given.first + i, error.what()));
  }
  return status();
}

Interval AnyLearner::interval(std::span<const double> phi, const IntervalOptions& options) const {
  const auto of = [&](const auto& learner) -> Interval {
    if constexpr (requires { learner.interval(phi, options); }) {
      require(steps_decrease_ || information() != nullptr,
              "an interval for averages of constant steps, whose bias it would not show; accepted: "
              "steps that decrease, or Newton");
      return learner.interval(phi, options);
    } else {
      throw InvalidInput("an interval for the last iterate of TD; accepted: an average, or Newton");
    }
  };
  return std::visit(of, learner_);
}

const InformationMatrix* AnyLearner::information() const {
  const auto* newton = std::get_if<Newton<AnyLoss>>(&learner_);
  return newton != nullptr ? &newton->information() : nullptr;
}

}  // namespace shortfall::learn

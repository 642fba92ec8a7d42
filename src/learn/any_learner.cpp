#include "shortfall/learn/any_learner.hpp"

#include <fmt/format.h>

#include <algorithm>
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

AnyLearner::AnyLearner(std::size_t dimension, const LearnerOptions& options)
    : learner_(make(dimension, options)) {}

AnyLearner::Variant AnyLearner::make(std::size_t d, const LearnerOptions& options) {
  const auto averaged_or_not = [&](auto learner) -> Variant {
    if (options.average_from) return Averaged(std::move(learner), *options.average_from);
    return learner;
  };
  switch (options.algorithm) {
    case Algorithm::td:
      return averaged_or_not(TdAny(d, options.loss, options.gamma, options.step));
    case Algorithm::td_lambda:
      return averaged_or_not(
          TdLambdaAny(d, options.loss, options.gamma, options.lambda, options.step));
    case Algorithm::newton:
      break;
  }
  return Newton<AnyLoss>(d, options.loss, options.gamma, options.newton);
}

LearnerStatus AnyLearner::update_many(const Transitions& given) {
  const std::size_t d = dimension();
  const std::size_t count = given.cost.size();
  require(given.phi.size() == count * d && given.phi_next.size() == count * d &&
              (given.terminal.empty() || given.terminal.size() == count),
          "{} costs with {} and {} features and {} terminal flags; accepted: for each cost {} "
          "features of the state and {} of the next, and one terminal flag or none at all",
          count, given.phi.size(), given.phi_next.size(), given.terminal.size(), d, d);
  std::size_t i = 0;
  const auto update_all = [&](auto& learner) {
    for (; i < count && learner.status() != LearnerStatus::diverged; ++i) {
      const std::span<const double> phi = given.phi.subspan(i * d, d);
      if (!given.terminal.empty() && given.terminal[i] != 0) {
        (void)learner.update_terminal(phi, given.cost[i]);
      } else {
        (void)learner.update(phi, given.cost[i], given.phi_next.subspan(i * d, d));
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

const InformationMatrix* AnyLearner::information() const {
  const auto* newton = std::get_if<Newton<AnyLoss>>(&learner_);
  return newton != nullptr ? &newton->information() : nullptr;
}

}  // namespace shortfall::learn

#include "studies/studied_learner.hpp"

#include <fmt/format.h>

#include <string_view>
#include <tuple>
#include <vector>

#include "errors/require.hpp"
#include "shortfall/errors/error.hpp"
#include "text/number.hpp"
#include "text/text.hpp"

namespace shortfall::studies {
namespace {

using learn::Algorithm;

std::string spellings() {
  std::vector<std::string_view> names;
  for (const auto& known : learn::algorithm_names) names.push_back(known.first);
  return fmt::format(
      "{}; td-lambda with its trace parameter, as td-lambda:0.6; :averaged after td, td-lambda and "
      "averager-td; :as-published after newton",
      fmt::join(names, ", "));
}

[[noreturn]] void refuse_learner(const std::string& text, std::string_view problem) {
  throw InvalidInput(fmt::format("'{}': {}; accepted: {}", text, problem, spellings()));
}

/// Applies one variant; false if the algorithm does not have it.
bool apply(std::string_view variant, const LearnerDefaults& defaults,
           learn::LearnerOptions& options, bool& has_lambda) {
  if (variant == "averaged" && !is_newton(options.algorithm) && !options.average_from) {
    options.average_from = defaults.average_from;
    return true;
  }
  if (variant == "as-published" && options.algorithm == Algorithm::newton) {
    options.newton.variant = learn::NewtonVariant::as_published;
    return true;
  }
  const auto lambda = io::parse_finite_number(variant);
  if (!lambda || options.algorithm != Algorithm::td_lambda || has_lambda) return false;
  options.lambda = *lambda;
  return has_lambda = true;
}

}  // namespace

bool StudiedLearner::has_intervals() const {
  if (is_newton(options.algorithm)) {
    return options.newton.variant != learn::NewtonVariant::as_published;
  }
  return options.average_from && options.step.assumption().holds;
}

bool StudiedLearner::is_same(const StudiedLearner& other) const {
  const auto key = [](const learn::LearnerOptions& given) {
    return std::tuple(given.algorithm, given.lambda, given.average_from, given.newton.variant);
  };
  return key(options) == key(other.options);
}

learn::AnyLearner StudiedLearner::start(std::size_t dimension, const AnyLoss& loss,
                                        double gamma) const {
  learn::LearnerOptions chosen = options;
  chosen.loss = loss;
  chosen.gamma = gamma;
  learn::AnyLearner learner(dimension, chosen);
  if (initial != 0.0) learner.start_from(std::vector<double>(dimension, initial));
  return learner;
}

StudiedLearner parse_learner(const std::string& text, const LearnerDefaults& defaults) {
  const std::size_t colon = text.find(':');
  const std::string_view name = std::string_view(text).substr(0, colon);
  StudiedLearner learner{.name = text,
                         .options = {.loss = Mean(), .gamma = 0.0, .step = defaults.step},
                         .initial = defaults.initial};
  bool is_known = false;
  for (const auto& [known, algorithm] : learn::algorithm_names) {
    if (known != name) continue;
    learner.options.algorithm = algorithm;
    is_known = true;
  }
  if (!is_known) refuse_learner(text, "no such algorithm");
  learner.options.newton.warmup = defaults.warmup;
  bool has_lambda = false;
  if (colon != std::string::npos) {
    for (const std::string_view variant :
         io::split(std::string_view(text).substr(colon + 1), ',')) {
      if (!apply(variant, defaults, learner.options, has_lambda)) {
        refuse_learner(text, fmt::format("it has no variant '{}'", variant));
      }
    }
  }
  if (learner.options.algorithm == Algorithm::td_lambda && !has_lambda) {
    if (!defaults.lambda) refuse_learner(text, "the trace parameter is missing");
    learner.options.lambda = *defaults.lambda;
  }
  require(learner.options.lambda >= 0.0 && learner.options.lambda <= 1.0,
          "'{}': the trace parameter is {}; accepted: a number from 0 to 1", text,
          learner.options.lambda);
  return learner;
}

}  // namespace shortfall::studies

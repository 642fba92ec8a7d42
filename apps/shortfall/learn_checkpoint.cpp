#include "apps/shortfall/learn_checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <system_error>

#include "apps/shortfall/learn_run.hpp"
#include "require.hpp"
#include "shortfall/memory.hpp"
#include "text/number.hpp"

namespace shortfall::app {
namespace {

/// The options of a checkpoint, which may be damaged.
class Recorded {
 public:
  explicit Recorded(const io::RecordedOptions& options) : options_(options) {}

  const std::string& text(const std::string& name) const {
    const auto found = std::ranges::find(options_, name, &io::RecordedOptions::value_type::first);
    require(found != options_.end(), "{} is missing; accepted: a checkpoint of shortfall learn",
            name);
    return found->second;
  }
  double number(const std::string& name) const {
    const std::optional<double> value = io::parse_finite_number(text(name));
    require(value.has_value(), "{} is {}; accepted: a number", name, text(name));
    return *value;
  }
  std::uint64_t count(const std::string& name) const {
    const std::string& digits = text(name);
    const char* const end = digits.data() + digits.size();
    std::uint64_t value = 0;
    const auto [rest, error] = std::from_chars(digits.data(), end, value);
    require(error == std::errc() && rest == end && value < (std::uint64_t{1} << 63),
            "{} is {}; accepted: a count", name, digits);
    return value;
  }

 private:
  const io::RecordedOptions& options_;
};

}  // namespace

io::RecordedOptions recorded_options(const LearnRunOptions& options, std::size_t dimension) {
  const learn::LearnerOptions& learner = options.learner;
  const std::uint64_t warmup = learner.newton.warmup.value_or(learn::default_warmup(dimension));
  return {
      {"--algorithm", std::string(to_string(learner.algorithm))},
      {"--loss", learner.loss.to_string()},
      {"--gamma", fmt::format("{}", learner.gamma)},
      {"--lambda", fmt::format("{}", learner.lambda)},
      {"--step", learner.step.to_string()},
      {"--average-from", learner.average_from ? fmt::format("{}", *learner.average_from) : "no"},
      {"--warmup", fmt::format("{}", warmup)},
      {"--as-published",
       learner.newton.variant == learn::NewtonVariant::as_published ? "yes" : "no"},
      {"--forget", learner.half_life ? fmt::format("{}", *learner.half_life) : "no"},
      {"--false-alarm-rate", fmt::format("{}", options.false_alarm_rate)},
      {"--skip-bad-rows", options.skip_bad_rows ? "yes" : "no"},
      {"--predictions", options.predictions.empty() ? "no" : "yes"}};
}

learn::LearnerOptions learner_options(const io::RecordedOptions& recorded) {
  const Recorded options(recorded);
  learn::LearnerOptions learner{
      .algorithm = value_named(options.text("--algorithm"), learn::algorithm_names, "--algorithm"),
      .loss = AnyLoss::parse(options.text("--loss")),
      .gamma = options.number("--gamma"),
      .lambda = options.number("--lambda"),
      .step = learn::AnyStep::parse(options.text("--step"))};
  if (options.text("--average-from") != "no") {
    learner.average_from = options.count("--average-from");
  }
  learner.newton.warmup = options.count("--warmup");
  if (options.text("--as-published") == "yes") {
    learner.newton.variant = learn::NewtonVariant::as_published;
  }
  if (options.text("--forget") != "no") learner.half_life = options.number("--forget");
  return learner;
}

/// θ and where it began are in every state, a matrix in those of Newton.
void check_learner_size(const LearnCheckpoint& checkpoint, learn::Algorithm algorithm) {
  const auto d = static_cast<double>(checkpoint.position.dimension);
  const double least = sizeof(double) * d * (is_newton(algorithm) ? std::max(d, 2.0) : 2.0);
  require(least <= static_cast<double>(checkpoint.learner.size()),
          "the state of a learner with {} features has {} bytes; accepted: {} or more", d,
          checkpoint.learner.size(), least);
}

SavedLearner read_learner(const std::string& name, const LearnCheckpoint& checkpoint,
                          const learn::LearnerOptions& options) {
  check_learner_size(checkpoint, options.algorithm);
  SavedLearner saved{learn::AnyLearner(checkpoint.position.dimension, options), {}};
  io::StateReader state(name, checkpoint.learner);
  saved.drift.archive(state);
  saved.learner.archive(state);
  state.finish();
  return saved;
}

/// Three copies: the learner, its state as bytes, and the checkpoint that contains them.
void check_checkpoint_memory(learn::Algorithm algorithm, std::size_t dimension) {
  if (!is_newton(algorithm)) return;
  check_memory(3.0 * learn::newton_memory(dimension),
               fmt::format("a checkpoint of {} with {} features", to_string(algorithm), dimension),
               fmt::format("fewer features, --algorithm {}, or no --checkpoint",
                           is_averager(algorithm) ? "averager-td" : "td"));
}

}  // namespace shortfall::app

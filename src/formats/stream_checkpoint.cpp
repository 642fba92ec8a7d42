#include "formats/stream_checkpoint.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <variant>

#include "errors/require.hpp"
#include "shortfall/memory/memory.hpp"
#include "text/number.hpp"

namespace shortfall::learn {
namespace {

/// Lists the options of a run once, for writing and for reading.
template <class Record>
void list_options(Record& record, StreamOptions& options) {
  LearnerOptions& learner = options.learner;
  record("--algorithm", learner.algorithm);
  record("--loss", learner.loss);
  record("--gamma", learner.gamma);
  record("--lambda", learner.lambda);
  record("--step", learner.step);
  record("--average-from", learner.average_from);
  record("--warmup", learner.newton.warmup);
  record("--as-published", learner.newton.variant);
  record("--forget", learner.half_life);
  record("--false-alarm-rate", options.false_alarm_rate);
}

/// Whether a run that resumes must have it as the checkpoint does. The others are recorded to be
/// shown.
bool is_fixed(std::string_view option) {
  return option != "--false-alarm-rate" && option != "--skip-bad-rows" && option != "--predictions";
}

bool is_used(std::string_view option, Algorithm algorithm) {
  if (option == "--lambda") return algorithm == Algorithm::td_lambda;
  if (option == "--warmup") return is_newton(algorithm);
  if (option == "--as-published") return algorithm == Algorithm::newton;
  if (option == "--step" || option == "--average-from") return !is_newton(algorithm);
  return true;
}

struct OptionWriter {
  io::RecordedOptions options;

  template <class T>
  void operator()(const char* name, const T& value) {
    options.emplace_back(name, text(value));
  }

 private:
  static std::string text(Algorithm value) { return std::string(to_string(value)); }
  static std::string text(const AnyLoss& value) { return value.to_string(); }
  static std::string text(const AnyStep& value) { return value.to_string(); }
  static std::string text(double value) { return fmt::format("{}", value); }
  static std::string text(bool value) { return value ? "yes" : "no"; }
  static std::string text(NewtonVariant value) {
    return text(value == NewtonVariant::as_published);
  }
  template <class T>
  static std::string text(const std::optional<T>& value) {
    return value ? fmt::format("{}", *value) : "no";
  }
};

/// Reads the options of a checkpoint, which may be damaged.
class OptionReader {
 public:
  explicit OptionReader(const io::RecordedOptions& options) : options_(options) {}

  template <class T>
  void operator()(std::string_view name, T& value) {
    const auto found = std::ranges::find(options_, name, &io::RecordedOptions::value_type::first);
    name_ = name.substr(2);
    require(found != options_.end(), "{} is missing; accepted: a checkpoint of shortfall learn",
            name_);
    read(found->second, value);
  }

 private:
  void read(const std::string& text, Algorithm& value) const {
    value = value_named(text, algorithm_names, name_);
  }
  static void read(const std::string& text, AnyLoss& value) { value = AnyLoss::parse(text); }
  static void read(const std::string& text, AnyStep& value) { value = AnyStep::parse(text); }
  static void read(const std::string& text, bool& value) { value = text == "yes"; }
  static void read(const std::string& text, NewtonVariant& value) {
    value = text == "yes" ? NewtonVariant::as_published : NewtonVariant::renewed;
  }
  void read(const std::string& text, double& value) const {
    const std::optional<double> number = io::parse_finite_number(text);
    require(number.has_value(), "{} is {}; accepted: a number", name_, text);
    value = *number;
  }
  void read(const std::string& text, std::uint64_t& value) const {
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, value);
    require(error == std::errc() && rest == end && value < (std::uint64_t{1} << 63),
            "{} is {}; accepted: a count", name_, text);
  }
  template <class T>
  void read(const std::string& text, std::optional<T>& value) const {
    if (text != "no") read(text, value.emplace());
  }

  const io::RecordedOptions& options_;
  std::string_view name_;  // without dashes
};

}  // namespace

io::RecordedOptions recorded_options(const StreamOptions& options, std::size_t dimension) {
  StreamOptions listed = options;
  listed.learner.newton.warmup = options.learner.newton.warmup.value_or(default_warmup(dimension));
  OptionWriter record;
  list_options(record, listed);
  record("--skip-bad-rows", options.skips_bad_rows());
  record("--predictions", !options.predictions.empty());
  return record.options;
}

void check_same_options(const io::ResumableRun& run, const StreamOptions& options,
                        const StreamCheckpoint& saved) {
  io::RecordedOptions used = recorded_options(options, saved.position.dimension);
  std::erase_if(used, [&](const auto& option) {
    return !is_fixed(option.first) || !is_used(option.first, options.learner.algorithm);
  });
  run.check_recorded(used, saved.options, io::ResumableRun::OtherOptions::may_change);
}

LearnerOptions learner_options(const io::RecordedOptions& recorded) {
  StreamOptions options{.learner = {.loss = Mean(), .gamma = 0.0}};
  OptionReader read(recorded);
  list_options(read, options);
  return options.learner;
}

/// Every state has θ and its initial value; those of Newton have a matrix as well.
void check_learner_size(const io::StateReader& state, Algorithm algorithm, std::size_t dimension) {
  const auto d = static_cast<double>(dimension);
  const double least = sizeof(double) * d * (is_newton(algorithm) ? std::max(d, 2.0) : 2.0);
  require(least <= static_cast<double>(state.bytes_left()),
          "the state of a learner with {} features has {} bytes; accepted: {} or more", d,
          state.bytes_left(), least);
}

/// Twice: the learner, and its state as bytes.
void check_checkpoint_memory(Algorithm algorithm, std::size_t dimension) {
  if (!is_newton(algorithm)) return;
  check_memory(2.0 * newton_memory(dimension),
               fmt::format("a checkpoint of {} with {} features", to_string(algorithm), dimension),
               fmt::format("fewer features, {}, or no checkpoint",
                           is_averager(algorithm) ? "averager-td" : "td"));
}

SavedStream read_saved_stream(io::StateReader& state) {
  StreamCheckpoint checkpoint;
  checkpoint.archive(state);
  const std::size_t d = checkpoint.position.dimension;
  DriftWatch drift;
  std::optional<AnyLearner> learner;
  state.block([&](io::StateReader& inner) {
    state.check([&] {
      const LearnerOptions options = learner_options(checkpoint.options);
      check_checkpoint_memory(options.algorithm, d);
      check_learner_size(inner, options.algorithm, d);
      learner.emplace(d, options);
    });
    drift.archive(inner);
    learner->archive(inner);
  });
  return {std::move(checkpoint), drift, std::move(*learner)};
}

}  // namespace shortfall::learn

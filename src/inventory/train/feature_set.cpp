#include "shortfall/inventory/train/feature_set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "shortfall/errors/error.hpp"
#include "shortfall/inventory/train/evaluation_method.hpp"

namespace shortfall::inventory {

namespace {

/// A whole number without sign; nullopt for anything else.
template <class Number>
std::optional<Number> whole_number(std::string_view text) {
  Number number = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && rest == end ? std::optional(number) : std::nullopt;
}

bool is_random(FeatureSet::Kind kind) {
  return kind == FeatureSet::Kind::relu || kind == FeatureSet::Kind::fourier;
}

}  // namespace

std::string accepted_feature_sets() {
  return fmt::format(
      "polynomial, relu:D or fourier:D with D from 1 to {}, or with a seed: relu:D,SEED; with "
      "averagers: hats",
      max_random_features);
}

std::optional<FeatureSet> parse_feature_set(std::string_view spec) {
  FeatureSet set;
  const std::size_t colon = spec.find(':');
  const auto* const named = std::ranges::find(feature_set_names, spec.substr(0, colon),
                                              [](const auto& entry) { return entry.first; });
  if (named == feature_set_names.end()) return std::nullopt;
  set.kind = named->second;
  if (is_random(set.kind) == (colon == std::string_view::npos)) return std::nullopt;
  if (!is_random(set.kind)) return set;
  const std::string_view numbers = spec.substr(colon + 1);
  const std::size_t comma = numbers.find(',');
  const auto count = whole_number<std::size_t>(numbers.substr(0, comma));
  const auto seed = comma == std::string_view::npos
                        ? std::optional(set.seed)
                        : whole_number<std::uint64_t>(numbers.substr(comma + 1));
  if (!count || !seed || *count < 1 || *count > max_random_features) return std::nullopt;
  set.count = *count;
  set.seed = *seed;
  return set;
}

std::string to_string(const FeatureSet& set) {
  const std::string_view word = name_of(set.kind, feature_set_names);
  if (!is_random(set.kind)) return std::string(word);
  return fmt::format("{}:{}{}", word, set.count, set.seed == 1 ? "" : fmt::format(",{}", set.seed));
}

FeatureSet default_features(learn::Algorithm algorithm) {
  return {.kind = is_averager(algorithm) ? FeatureSet::Kind::hats : FeatureSet::Kind::polynomial};
}

FeatureSet features_for(learn::Algorithm algorithm, const std::optional<FeatureSet>& set) {
  if (!set) return default_features(algorithm);
  if (is_averager(algorithm) == (set->kind == FeatureSet::Kind::hats)) return *set;
  throw InvalidInput(fmt::format("features {} with algorithm {}; accepted: {}", to_string(*set),
                                 to_string(algorithm), accepted_feature_sets()));
}

EvaluationMethod evaluation_method(EvaluationKind kind) {
  if (kind == EvaluationKind::restarted) return {};
  return {.kind = kind,
          .normalisation = StockNormalisation::largest,
          .step = learn::PolynomialStep(2.0, 100.0, 2.0 / 3.0),
          .paths = SamplePaths::divided,
          .start = PathStart::empty,
          .first_weights = FirstWeights::zero,
          .next_weights = NextWeights::carried,
          .draws = ImprovementDraws::per_state,
          .singular = SingularTrajectories::discarded};
}

std::vector<std::pair<std::string, std::string>> described(const EvaluationMethod& method) {
  const auto text = [](auto value, const auto& names) {
    return std::string(name_of(value, names));
  };
  return {{"evaluation", text(method.kind, evaluation_kind_names)},
          {"normalisation", text(method.normalisation, stock_normalisation_names)},
          {"step", method.step ? method.step->to_string() : "fitted"},
          {"paths", text(method.paths, sample_paths_names)},
          {"start", text(method.start, path_start_names)},
          {"first-weights", text(method.first_weights, first_weights_names)},
          {"next-weights", text(method.next_weights, next_weights_names)},
          {"draws", text(method.draws, improvement_draws_names)}};
}

}  // namespace shortfall::inventory

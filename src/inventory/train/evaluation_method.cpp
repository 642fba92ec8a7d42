#include "shortfall/inventory/train/evaluation_method.hpp"

namespace shortfall::inventory {

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

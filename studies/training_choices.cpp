#include "studies/training_choices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace shortfall::studies {

using namespace inventory;

const std::string two_trainings =
    "Policies are trained twice. As published: 20 trajectories of 3 000 periods under the current "
    "policy, without restarts, normalised features, steps 2/(n + 100)^(2/3) of TD, Newton as "
    "printed, singular trajectories discarded. Ours: paths restart, features and steps are fitted "
    "to the problem. Verdicts rest on the first, under several choices of what the paper leaves "
    "open: steps, starts, first weights, the kind of normalisation, and which draws are shared.";

TrainingChoice our_choice() {
  return {std::string(our_column), evaluation_method(EvaluationKind::restarted)};
}

std::vector<TrainingChoice> published_choices(learn::Algorithm algorithm, Improvement improvement) {
  const EvaluationMethod published = evaluation_method(EvaluationKind::published);
  std::vector<TrainingChoice> choices{{std::string(published_column), published}};
  const auto add = [&](std::string_view name, auto change) {
    choices.push_back({std::string(name), published});
    change(choices.back().method);
  };
  if (algorithm == learn::Algorithm::td) {
    add("steps four times as large",
        [](auto& method) { method.step = learn::PolynomialStep(8.0, 100.0, 2.0 / 3.0); });
    add("steps a quarter as large",
        [](auto& method) { method.step = learn::PolynomialStep(0.5, 100.0, 2.0 / 3.0); });
    add("standardised features",
        [](auto& method) { method.normalisation = StockNormalisation::standard; });
  }
  add("paths from any stock", [](auto& method) {
    method.paths = SamplePaths::separate;
    method.start = PathStart::uniform;
  });
  add(non_perishable_choice,
      [](auto& method) { method.first_weights = FirstWeights::non_perishable; });
  add("paths from any stock, first weights of the non-perishable value", [](auto& method) {
    method.paths = SamplePaths::separate;
    method.start = PathStart::uniform;
    method.first_weights = FirstWeights::non_perishable;
  });
  add("weights not carried over", [](auto& method) { method.next_weights = NextWeights::first; });
  if (improvement == Improvement::sampled) {
    add("draws of its own for each order",
        [](auto& method) { method.draws = ImprovementDraws::per_order; });
    add("the same draws for all stocks, demand spread evenly",
        [](auto& method) { method.draws = ImprovementDraws::stratified; });
  }
  return choices;
}

std::vector<TrainingChoice> choices_and_ours(learn::Algorithm algorithm, Improvement improvement,
                                             Taken taken) {
  std::vector<TrainingChoice> choices = published_choices(algorithm, improvement);
  if (taken == Taken::first) choices.resize(1);
  choices.push_back(our_choice());
  return choices;
}

namespace {

/// "1.2 to 3.4" or "1.2".
std::string range_of(const std::vector<Tested>& tested) {
  const auto [least, most] = std::ranges::minmax(tested, {}, &Tested::figure);
  const std::string low = fmt::format("{:.4g}", least.figure);
  const std::string high = fmt::format("{:.4g}", most.figure);
  return low == high ? low : low + " to " + high;
}

}  // namespace

std::vector<std::string> published_names(const std::vector<std::string>& choices) {
  std::vector<std::string> names{std::string(published_column)};
  for (const std::string& choice : choices) {
    if (choice != our_column && std::ranges::count(names, choice) == 0) names.push_back(choice);
  }
  return names;
}

JudgedFinding judged(const Statement& statement, const std::vector<std::string>& choices,
                     const std::function<Tested(std::string_view choice)>& test) {
  const Tested ours = test(our_column);
  std::vector<Tested> tested;
  std::vector<std::string> others;  // with another verdict
  for (const std::string& choice : choices) {
    tested.push_back(test(choice));
    if (tested.back().verdict != tested.front().verdict) others.push_back(choice);
  }
  const Tested& first = tested.front();
  JudgedFinding finding{
      {.claim = statement.claim,
       .published = statement.published,
       .found = fmt::format("As published: {}. Ours: {}.", first.found, ours.found),
       .verdict = others.empty() ? first.verdict : Verdict::open},
      ours.verdict};
  if (choices.size() == 1) return finding;
  if (others.empty()) {
    finding.found +=
        fmt::format(" The same with {} other choices of what the paper leaves open ({}: {}).",
                    choices.size() - 1, statement.figure, range_of(tested));
  } else {
    finding.found += fmt::format(
        " This depends on what the paper leaves open: {} by default, but not with {} of {} other "
        "choices: {} ({}: {}).",
        to_string(first.verdict), others.size(), choices.size() - 1, fmt::join(others, ", "),
        statement.figure, range_of(tested));
  }
  return finding;
}

Json changed_sides(const std::vector<JudgedFinding>& findings) {
  Json rows = Json::array();
  for (const JudgedFinding& finding : findings) {
    if (finding.by_ours == finding.verdict) continue;
    rows.push_back(
        {{"claim", finding.claim}, {"ours", finding.by_ours}, {"as_published", finding.verdict}});
  }
  return rows;
}

}  // namespace shortfall::studies

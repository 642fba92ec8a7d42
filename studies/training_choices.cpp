#include "studies/training_choices.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace shortfall::studies {

using namespace inventory;

const std::string two_trainings =
    "Policies are trained twice. As published: 20 trajectories of 3 000 periods under the current "
    "policy, without restarts, normalised features, steps 2/(n + 100)^(2/3) of TD, Newton as "
    "printed, singular trajectories discarded. Ours: paths restart, features and steps are fitted "
    "to the problem. Verdicts rest on the first, under several choices of what the paper leaves "
    "open, alone and jointly: steps, starts, first weights, the kind of normalisation, which draws "
    "are shared, and the seed.";

TrainingChoice our_choice() {
  return {std::string(our_column), evaluation_method(EvaluationKind::restarted)};
}

namespace {

/// A thing that the paper leaves open: the name of another choice, and what it changes.
struct Change {
  std::string_view name;
  void (*apply)(EvaluationMethod& method);
};

constexpr std::string_view any_stock = "paths from any stock";
constexpr std::string_view not_carried = "weights not carried over";

constexpr std::array<Change, 3> changes_of_td{
    {{"steps four times as large",
      [](auto& method) { method.step = learn::PolynomialStep(8.0, 100.0, 2.0 / 3.0); }},
     {"steps a quarter as large",
      [](auto& method) { method.step = learn::PolynomialStep(0.5, 100.0, 2.0 / 3.0); }},
     {"standardised features",
      [](auto& method) { method.normalisation = StockNormalisation::standard; }}}};

constexpr std::array<Change, 3> changes_of_both{
    {{any_stock,
      [](auto& method) {
        method.paths = SamplePaths::separate;
        method.start = PathStart::uniform;
      }},
     {non_perishable_choice,
      [](auto& method) { method.first_weights = FirstWeights::non_perishable; }},
     {not_carried, [](auto& method) { method.next_weights = NextWeights::first; }}}};

constexpr std::array<Change, 2> changes_of_draws{
    {{"draws of its own for each order",
      [](auto& method) { method.draws = ImprovementDraws::per_order; }},
     {"the same draws for all stocks, demand spread evenly",
      [](auto& method) { method.draws = ImprovementDraws::stratified; }}}};
constexpr const Change& stratified = changes_of_draws[1];

constexpr std::array<std::pair<std::string_view, std::uint64_t>, 2> other_seeds{
    {{"a second seed", 1}, {"a third seed", 2}}};

class ChoiceList {
 public:
  /// Unless it is there already. The order of changes does not matter.
  void add(const std::vector<Change>& changes) {
    std::vector<std::string_view> names;
    EvaluationMethod method = evaluation_method(EvaluationKind::published);
    for (const Change& change : changes) {
      names.push_back(change.name);
      change.apply(method);
    }
    std::ranges::sort(names);
    if (std::ranges::count(known_, names) > 0) return;
    std::string name = names.empty() ? std::string(published_column) : "";
    for (const Change& change : changes) {
      name += fmt::format("{}{}", name.empty() ? "" : ", ", change.name);
    }
    known_.push_back(std::move(names));
    choices_.push_back({std::move(name), method});
  }
  void add(std::string_view name, std::uint64_t seed) {
    choices_.push_back({std::string(name), evaluation_method(EvaluationKind::published), seed});
  }

  std::vector<TrainingChoice> take() && { return std::move(choices_); }

 private:
  std::vector<std::vector<std::string_view>> known_ = {};  ///< names of changes
  std::vector<TrainingChoice> choices_ = {};
};

/// What 45 minutes on two cores allow for all studies: all subsets of the changes that act on every
/// training, without and with demand spread evenly; for TD, which also has other steps and features
/// with such draws, weights that are not carried over without other changes of this kind.
void add_joint_choices(ChoiceList& choices, learn::Algorithm algorithm, bool has_draws) {
  const bool is_td = algorithm == learn::Algorithm::td;
  for (unsigned subset = 0; subset < 8; ++subset) {
    std::vector<Change> changes;
    for (unsigned k = 0; k < 3; ++k) {
      if ((subset >> k & 1U) != 0) changes.push_back(changes_of_both[k]);
    }
    if (is_td && changes.size() > 1 && changes.back().name == not_carried) continue;
    choices.add(changes);
    changes.push_back(stratified);
    if (has_draws) choices.add(changes);
  }
  if (!is_td) return;
  for (const Change& change : changes_of_td) {
    choices.add({change, has_draws ? stratified : changes_of_both[1]});
  }
}

}  // namespace

std::vector<TrainingChoice> published_choices(learn::Algorithm algorithm, Improvement improvement,
                                              Taken taken) {
  ChoiceList choices;
  choices.add(std::vector<Change>());
  if (taken == Taken::closest && improvement == Improvement::sampled) {
    if (algorithm == learn::Algorithm::td) {
      choices.add({stratified});
    } else {
      choices.add({changes_of_both[1], stratified});
    }
  }
  if (taken == Taken::first || taken == Taken::closest) return std::move(choices).take();
  if (algorithm == learn::Algorithm::td) {
    for (const Change& change : changes_of_td) choices.add({change});
  }
  for (const Change& change : changes_of_both) choices.add({change});
  choices.add({changes_of_both[0], changes_of_both[1]});
  const bool has_draws = improvement == Improvement::sampled;
  if (has_draws) {
    for (const Change& change : changes_of_draws) choices.add({change});
  }
  if (taken == Taken::alone) return std::move(choices).take();
  for (const auto& [name, seed] : other_seeds) choices.add(name, seed);
  add_joint_choices(choices, algorithm, has_draws);
  return std::move(choices).take();
}

std::vector<TrainingChoice> choices_and_ours(learn::Algorithm algorithm, Improvement improvement,
                                             Taken taken) {
  std::vector<TrainingChoice> choices = published_choices(algorithm, improvement, taken);
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
  const auto test_one = [&](std::string_view choice) {
    Tested tested = test(choice);
    if (statement.origin == Origin::paper && tested.verdict == Verdict::refuted) {
      tested.verdict = Verdict::not_reproduced;
    }
    return tested;
  };
  const Tested ours = test_one(our_column);
  std::vector<Tested> tested;
  std::vector<std::string> others;    // with another verdict
  std::map<std::string, int> scopes;  // how many choices have less than all settings
  for (const std::string& choice : choices) {
    tested.push_back(test_one(choice));
    const Tested& latest = tested.back();
    if (!latest.scope.empty()) ++scopes[latest.scope];
    if (latest.verdict == tested.front().verdict) continue;
    others.push_back(latest.scope.empty() ? choice : fmt::format("{} ({})", choice, latest.scope));
  }
  const Tested& first = tested.front();
  JudgedFinding finding{
      {.claim = statement.claim,
       .published = statement.published,
       .found = fmt::format("As published: {}. Ours: {}.", first.found, ours.found),
       .verdict = others.empty() ? first.verdict : Verdict::open,
       .origin = statement.origin},
      ours.verdict};
  if (choices.size() == 1) return finding;
  const std::string figures = fmt::format("{}: {}", statement.figure, range_of(tested));
  if (others.empty()) {
    finding.found +=
        fmt::format(" The same with {} other choices of what the paper leaves open ({})",
                    choices.size() - 1, figures);
  } else {
    std::string by_default(to_string(first.verdict));
    std::ranges::replace(by_default, '-', ' ');
    finding.found += fmt::format(
        " This depends on what the paper leaves open: {} by default, but not with {} of {} other "
        "choices: {} ({})",
        by_default, others.size(), choices.size() - 1, fmt::join(others, "; "), figures);
  }
  for (const auto& [scope, count] : scopes) {
    finding.found += fmt::format("; {} of them tried {}", count, scope);
  }
  finding.found += ".";
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

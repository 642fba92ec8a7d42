#include <algorithm>
#include <limits>

#include "studies/policy_table.hpp"

namespace shortfall::studies {
namespace {

/// The names of all choices as published, in the order of the parts, without repetition.
std::vector<std::string> choice_names(const std::vector<SettingValues>& parts) {
  std::vector<std::string> names{std::string(published_column)};
  for (const SettingValues& part : parts) {
    for (const TrainedValue& value : part.trained) {
      if (value.choice == our_column || std::ranges::count(names, value.choice) > 0) continue;
      names.push_back(value.choice);
    }
  }
  return names;
}

/// The gap of a trained policy by the kind of value that `gap` selects.
double gap_in(const PolicyTable& table, const SettingValues& part, const char* algorithm,
              double PolicyCell::*gap) {
  for (const PolicyCell& cell : table.cells()) {
    if (cell.tau == part.tau && cell.cost == part.cost && cell.policy == algorithm) {
      return cell.*gap;
    }
  }
  return std::numeric_limits<double>::quiet_NaN();
}

TrainedGaps gaps_of(const TrainedTables& tables, const SettingValues& part, const char* algorithm) {
  const auto gap = [&](const PolicyTable& table, double PolicyCell::*kind) {
    return gap_in(table, part, algorithm, kind);
  };
  const PolicyTable& published = tables.as_published();
  const TrainedValue* by_default = part.trained_by(algorithm, published_column);
  TrainedGaps gaps{.tau = part.tau,
                   .cost = part.cost,
                   .algorithm = algorithm,
                   .paper = gap(published, &PolicyCell::paper_gap_percent),
                   .published_by_rule = gap(published, &PolicyCell::ours_gap_percent),
                   .ours_by_rule = gap(tables.ours, &PolicyCell::ours_gap_percent),
                   .published = gap(published, &PolicyCell::true_gap_percent),
                   .ours = gap(tables.ours, &PolicyCell::true_gap_percent),
                   .least_published = infinity,
                   .most_published = -infinity,
                   .choices = 0,
                   .singular = by_default->singular,
                   .diverged = by_default->diverged};
  for (const auto& [choice, table] : tables.published) {
    if (part.trained_by(algorithm, choice) == nullptr) continue;
    const double found = gap(table, &PolicyCell::true_gap_percent);
    gaps.least_published = std::min(gaps.least_published, found);
    gaps.most_published = std::max(gaps.most_published, found);
    ++gaps.choices;
  }
  return gaps;
}

/// Over the settings that have it.
ChoiceGaps gaps_of(const PolicyTable& table, const std::vector<SettingValues>& parts,
                   const char* algorithm, const std::string& choice) {
  ChoiceGaps gaps{
      .algorithm = algorithm,
      .choice = choice,
      .settings = 0,
      .mean_gap_percent = table.mean(algorithm, &PolicyCell::true_gap_percent),
      .worst_gap_percent = table.worst(algorithm, &PolicyCell::true_gap_percent).true_gap_percent,
      .worst_gap_by_rule_percent =
          table.worst(algorithm, &PolicyCell::ours_gap_percent).ours_gap_percent,
      .singular = 0,
      .diverged = 0};
  for (const SettingValues& part : parts) {
    const TrainedValue* value = part.trained_by(algorithm, choice);
    if (value == nullptr) continue;
    ++gaps.settings;
    gaps.singular += value->singular;
    gaps.diverged += value->diverged;
  }
  return gaps;
}

}  // namespace

TrainedTables::TrainedTables(const PublishedTable& printed, const std::vector<SettingValues>& parts)
    : ours(printed, parts, our_column) {
  for (const std::string& choice : choice_names(parts)) {
    published.push_back({choice, PolicyTable(printed, parts, choice)});
  }
  for (const char* const algorithm : {"TD", "Newton"}) {
    for (const SettingValues& part : parts) gaps.push_back(gaps_of(*this, part, algorithm));
    const auto is_known = [&](const std::string& choice) {
      return std::ranges::any_of(parts, [&](const SettingValues& part) {
        return part.trained_by(algorithm, choice) != nullptr;
      });
    };
    for (const auto& [choice, table] : published) {
      if (is_known(choice)) choices.push_back(gaps_of(table, parts, algorithm, choice));
    }
    choices.push_back(gaps_of(ours, parts, algorithm, std::string(our_column)));
  }
}

}  // namespace shortfall::studies

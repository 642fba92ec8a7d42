#include "studies/policy_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

namespace shortfall::studies {
namespace {

double percent(double excess, double base) {
  return 100.0 * excess / base;
}

/// In percent; 0 if within the certified error bounds.
double gap_of(const CertifiedValue& value, const CertifiedValue& optimum) {
  const double excess = value.converged - optimum.converged;
  const double error = value.error_bound + optimum.error_bound;
  return std::abs(excess) <= error ? 0.0 : percent(excess, optimum.converged);
}

/// The indices of a setting in the published rows.
struct Place {
  std::size_t level = 0;
  std::size_t cost = 0;
};

Place place_of(double tau, std::string_view cost) {
  Place place;
  while (place.level < published_levels.size() && published_levels[place.level] != tau) {
    ++place.level;
  }
  while (place.cost < published_costs.size() && cost_text(published_costs[place.cost]) != cost) {
    ++place.cost;
  }
  if (place.level == published_levels.size() || place.cost == published_costs.size()) {
    throw std::logic_error("a setting that was not published");
  }
  return place;
}

TrainedGaps gaps_of(const TrainedTables& tables, const SettingValues& part, const char* algorithm) {
  const auto gap = [&](const PolicyTable& table, double PolicyCell::*kind) {
    const PolicyCell* const cell = table.find(part.tau, part.cost, algorithm);
    return cell == nullptr ? std::nan("") : cell->*kind;
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

const TrainedValue* SettingValues::trained_by(std::string_view algorithm,
                                              std::string_view choice) const {
  const auto found = std::ranges::find_if(trained, [&](const TrainedValue& value) {
    return value.algorithm == algorithm && value.choice == choice;
  });
  return found == trained.end() ? nullptr : &*found;
}

PolicyTable::PolicyTable(const PublishedTable& published, const std::vector<SettingValues>& parts,
                         std::string_view choice)
    : published_(published) {
  for (const SettingValues& part : parts) {
    if (part.trained_by("TD", choice) || part.trained_by("Newton", choice)) add(part, choice);
  }
}

const PublishedPolicy& PolicyTable::published(std::string_view policy) const {
  for (const PublishedPolicy* const one : published_.policies()) {
    if (one->name == policy) return *one;
  }
  throw std::logic_error("a policy that was not published");
}

void PolicyTable::add_cell(const SettingValues& part, const PolicyValue& value,
                           const TrainedValue* trained) {
  const Place place = place_of(part.tau, part.cost);
  const PolicyValue& optimum = part.policies.at(0);
  const PublishedPolicy& printed = published(value.policy);
  const double paper = printed.value[place.level][place.cost];
  const bool is_optimum = value.policy == optimum.policy;
  cells_.push_back(
      {.tau = part.tau,
       .cost = part.cost,
       .policy = value.policy,
       .paper = paper,
       .paper_gap_percent = printed.gap_percent[place.level][place.cost],
       .ours = value.ours,
       .ours_gap_percent =
           is_optimum ? std::nan("") : percent(value.ours - optimum.ours, optimum.ours),
       .matches = trained ? std::nullopt : std::optional(prints_as(value.ours, paper)),
       .converged = value.certified.converged,
       .error_bound = value.certified.error_bound,
       .true_gap_percent = is_optimum ? std::nan("") : gap_of(value.certified, optimum.certified),
       .best_true_gap_percent = trained ? gap_of(trained->best, optimum.certified) : std::nan("")});
}

void PolicyTable::add(const SettingValues& part, std::string_view choice) {
  const PolicyValue& optimum = part.policies.at(0);
  for (const PolicyValue& value : part.policies) add_cell(part, value);
  for (const char* const algorithm : {"TD", "Newton"}) {
    const TrainedValue* value = part.trained_by(algorithm, choice);
    if (value == nullptr) value = part.trained_by(algorithm, published_column);
    add_cell(part, {algorithm, value->ours, value->certified}, value);
    if (value->improved_exactly.converged == infinity) continue;
    exact_.push_back(
        {part.tau, part.cost, algorithm, value->choice, value->improved_exactly.converged,
         gap_of(value->improved_exactly, optimum.certified), cells_.back().true_gap_percent});
  }
  rule_gaps_.push_back(percent(part.optimal_orders - optimum.ours, optimum.ours));
}

Coverage PolicyTable::coverage() const {
  const bool is_whole = rule_gaps_.size() == published_levels.size() * published_costs.size();
  return is_whole ? Coverage::whole : Coverage::sample;
}

std::vector<PolicyCell> PolicyTable::of(std::string_view policy) const {
  std::vector<PolicyCell> chosen;
  std::ranges::copy_if(cells_, std::back_inserter(chosen),
                       [&](const PolicyCell& cell) { return cell.policy == policy; });
  return chosen;
}

const PolicyCell* PolicyTable::find(double tau, std::string_view cost,
                                    std::string_view policy) const {
  const auto found = std::ranges::find_if(cells_, [&](const PolicyCell& cell) {
    return cell.tau == tau && cell.cost == cost && cell.policy == policy;
  });
  return found == cells_.end() ? nullptr : &*found;
}

const PolicyCell& PolicyTable::in_same_setting(const PolicyCell& cell,
                                               std::string_view policy) const {
  const PolicyCell* const found = find(cell.tau, cell.cost, policy);
  if (found == nullptr) throw std::logic_error("no such policy in this setting");
  return *found;
}

PolicyCell PolicyTable::worst(std::string_view policy, double PolicyCell::*gap) const {
  const std::vector<PolicyCell> chosen = of(policy);
  if (chosen.empty()) throw std::logic_error("no cells of this policy");
  return *std::ranges::max_element(chosen, {}, gap);
}

double PolicyTable::mean(std::string_view policy, double PolicyCell::*gap) const {
  double sum = 0.0;
  const std::vector<PolicyCell> chosen = of(policy);
  for (const PolicyCell& cell : chosen) sum += cell.*gap;
  return sum / static_cast<double>(chosen.size());
}

PrintedGaps PolicyTable::printed(std::string_view policy) const {
  const PublishedPolicy& rows = published(policy);
  PrintedGaps gaps;
  double sum = 0.0;
  int count = 0;
  for (std::size_t level = 0; level < published_levels.size(); ++level) {
    for (std::size_t cost = 0; cost < published_costs.size(); ++cost) {
      const double gap = rows.gap_percent[level][cost];
      if (std::isnan(gap)) continue;
      sum += gap;
      ++count;
      if (gap <= gaps.worst) continue;
      gaps.worst = gap;
      gaps.worst_tau = published_levels[level];
      gaps.worst_cost = cost_text(published_costs[cost]);
    }
  }
  gaps.mean = sum / count;
  return gaps;
}

Json PolicyTable::summary_rows() const {
  Json rows = Json::array();
  for (const char* const policy : {"Optimal", "Static", "Myopic", "RN", "TD", "Newton"}) {
    const std::vector<PolicyCell> chosen = of(policy);
    if (chosen.empty()) continue;
    const auto largest = [&](double PolicyCell::*gap) {
      return number_or_null(worst(policy, gap).*gap);
    };
    const bool is_asked = chosen.front().matches.has_value();
    const auto matching = std::ranges::count_if(
        chosen, [](const PolicyCell& cell) { return cell.matches.value_or(false); });
    rows.push_back(
        {{"policy", policy},
         {"cells", chosen.size()},
         {"matching", is_asked ? Json(matching) : Json()},
         {"paper_worst_gap_percent", largest(&PolicyCell::paper_gap_percent)},
         {"ours_worst_gap_percent", largest(&PolicyCell::ours_gap_percent)},
         {"true_worst_gap_percent", largest(&PolicyCell::true_gap_percent)},
         {"true_mean_gap_percent", number_or_null(mean(policy, &PolicyCell::true_gap_percent))}});
  }
  return rows;
}

Json PolicyTable::facts() const {
  constexpr double shown = 0.01;  // a gap in print
  constexpr double gone = 0.005;  // rounds to none
  std::size_t exact = 0;
  std::size_t matching = 0;
  std::size_t vanishing = 0;
  double too_low = -infinity;
  double change = 0.0;
  for (const PolicyCell& cell : cells_) {
    if (!cell.matches) continue;
    ++exact;
    matching += *cell.matches ? 1U : 0U;
    too_low = std::max(too_low, 100.0 * (1.0 - cell.ours / cell.converged));
    if (cell.policy == "Optimal") continue;
    vanishing += cell.ours_gap_percent >= shown && std::abs(cell.true_gap_percent) < gone ? 1U : 0U;
    change = std::max(change, std::abs(cell.ours_gap_percent - cell.true_gap_percent));
  }
  return {{"exact_cells", exact},
          {"matching_cells", matching},
          {"too_low_percent", number_or_null(too_low)},
          {"vanishing_gaps", vanishing},
          {"largest_gap_change", change}};
}

TrainedTables::TrainedTables(const PublishedTable& printed, const std::vector<SettingValues>& parts)
    : ours(printed, parts, our_column) {
  std::vector<std::string> names;
  for (const SettingValues& part : parts) {
    for (const TrainedValue& value : part.trained) names.push_back(value.choice);
  }
  for (const std::string& choice : published_names(names)) {
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

std::vector<std::string> TrainedTables::choices_of(std::string_view algorithm) const {
  std::vector<std::string> names;
  for (const Chosen& chosen : published) {
    const bool is_known = std::ranges::any_of(choices, [&](const ChoiceGaps& row) {
      return row.choice == chosen.choice && (algorithm.empty() || row.algorithm == algorithm);
    });
    if (is_known) names.push_back(chosen.choice);
  }
  return names;
}

const PolicyTable& TrainedTables::by(std::string_view choice) const {
  if (choice == our_column) return ours;
  return std::ranges::find(published, choice, &Chosen::choice)->table;
}

}  // namespace shortfall::studies

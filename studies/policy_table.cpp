#include "studies/policy_table.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace shortfall::studies {
namespace {

double percent(double excess, double base) {
  return 100.0 * excess / base;
}

/// In percent; 0 if within the certified error bounds.
double gap_of(const Json& value, const Json& optimum) {
  const double best = optimum["converged"].get<double>();
  const double excess = value["converged"].get<double>() - best;
  const double error = value["error_bound"].get<double>() + optimum["error_bound"].get<double>();
  return std::abs(excess) <= error ? 0.0 : percent(excess, best);
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
  while (place.cost < published_costs.size() && text_of(published_costs[place.cost]) != cost) {
    ++place.cost;
  }
  if (place.level == published_levels.size() || place.cost == published_costs.size()) {
    throw std::logic_error("a setting that was not published");
  }
  return place;
}

}  // namespace

PolicyTable::PolicyTable(const PublishedTable& published, const std::vector<Json>& parts)
    : published_(published) {
  for (const Json& part : parts) add(part);
}

void PolicyTable::add(const Json& part) {
  const double tau = part["tau"].get<double>();
  const auto cost = part["cost"].get<std::string>();
  const Place place = place_of(tau, cost);
  const Json& optimum = part["policies"]["Optimal"];
  const double optimum_as_published = optimum["ours"].get<double>();
  for (const PublishedPolicy* const policy : published_.policies()) {
    const std::string name(policy->name);
    if (!part["policies"].contains(name)) continue;
    const Json& value = part["policies"][name];
    const double ours = value["ours"].get<double>();
    const double paper = policy->value[place.level][place.cost];
    const bool is_trained = name == "TD" || name == "Newton";
    cells_.push_back({.tau = tau,
                      .cost = cost,
                      .policy = name,
                      .paper = paper,
                      .paper_gap = policy->gap_percent[place.level][place.cost],
                      .ours = ours,
                      .ours_gap = percent(ours - optimum_as_published, optimum_as_published),
                      .matches = is_trained ? std::nullopt : std::optional(prints_as(ours, paper)),
                      .converged = value["converged"].get<double>(),
                      .error_bound = value["error_bound"].get<double>(),
                      .true_gap = gap_of(value, optimum),
                      .best_gap = is_trained ? gap_of(value["best"], optimum) : std::nan("")});
    if (!part.contains("exact_improvement") || !is_trained) continue;
    const Json& exact = part["exact_improvement"][name];
    exact_.push_back({tau, cost, name, exact["converged"].get<double>(), gap_of(exact, optimum),
                      cells_.back().true_gap});
  }
  rule_gaps_.push_back(
      {tau, cost,
       percent(part["optimal_orders"].get<double>() - optimum_as_published, optimum_as_published)});
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

const PolicyCell& PolicyTable::in_same_setting(const PolicyCell& cell,
                                               std::string_view policy) const {
  const auto found = std::ranges::find_if(cells_, [&](const PolicyCell& other) {
    return other.tau == cell.tau && other.cost == cell.cost && other.policy == policy;
  });
  if (found == cells_.end()) throw std::logic_error("no such policy in this setting");
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
  const auto policies = published_.policies();
  const PublishedPolicy& rows = **std::ranges::find(policies, policy, &PublishedPolicy::name);
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
      gaps.worst_cost = text_of(published_costs[cost]);
    }
  }
  gaps.mean = sum / count;
  return gaps;
}

Json PolicyTable::cell_rows() const {
  Json rows = Json::array();
  for (const PolicyCell& cell : cells_) {
    const bool is_optimum = cell.policy == "Optimal";
    const auto gap = [&](double value) { return is_optimum ? Json() : number_or_null(value); };
    rows.push_back({{"tau", cell.tau},
                    {"cost", cell.cost},
                    {"policy", cell.policy},
                    {"paper", cell.paper},
                    {"paper_gap_percent", gap(cell.paper_gap)},
                    {"ours", cell.ours},
                    {"ours_gap_percent", gap(cell.ours_gap)},
                    {"matches", cell.matches ? Json(*cell.matches) : Json()},
                    {"converged", cell.converged},
                    {"error_bound", cell.error_bound},
                    {"true_gap_percent", gap(cell.true_gap)},
                    {"best_true_gap_percent", number_or_null(cell.best_gap)}});
  }
  return rows;
}

Json PolicyTable::summary_rows() const {
  Json rows = Json::array();
  for (const char* const policy : {"Optimal", "Static", "Myopic", "RN", "TD", "Newton"}) {
    const std::vector<PolicyCell> chosen = of(policy);
    if (chosen.empty()) continue;
    const bool is_optimum = std::string_view(policy) == "Optimal";
    const auto largest = [&](double PolicyCell::*gap) {
      return is_optimum ? Json() : number_or_null(worst(policy, gap).*gap);
    };
    const bool is_asked = chosen.front().matches.has_value();
    const auto matching = std::ranges::count_if(
        chosen, [](const PolicyCell& cell) { return cell.matches.value_or(false); });
    rows.push_back({{"policy", policy},
                    {"cells", chosen.size()},
                    {"matching", is_asked ? Json(matching) : Json()},
                    {"paper_worst_gap_percent", largest(&PolicyCell::paper_gap)},
                    {"ours_worst_gap_percent", largest(&PolicyCell::ours_gap)},
                    {"true_worst_gap_percent", largest(&PolicyCell::true_gap)},
                    {"true_mean_gap_percent",
                     is_optimum ? Json() : Json(mean(policy, &PolicyCell::true_gap))}});
  }
  return rows;
}

Json PolicyTable::exact_improvement_rows() const {
  Json rows = Json::array();
  for (const ExactImprovement& row : exact_) {
    rows.push_back({{"tau", row.tau},
                    {"cost", row.cost},
                    {"algorithm", row.algorithm},
                    {"value", row.value},
                    {"true_gap_percent", row.true_gap},
                    {"sampled_true_gap_percent", row.sampled_true_gap}});
  }
  return rows;
}

}  // namespace shortfall::studies

#include "apps/shortfall/plan.hpp"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string_view>
#include <variant>

#include "apps/shortfall/inventory_policy.hpp"
#include "apps/shortfall/inventory_report.hpp"
#include "apps/shortfall/policy_simulation.hpp"
#include "apps/shortfall/risk_levels.hpp"
#include "apps/shortfall/simulation_report.hpp"
#include "files/input_file.hpp"

namespace shortfall::app {
namespace {

using report::Json;

constexpr int distribution_points = 201;

Json json_of(const inventory::Model& model, const Criterion& criterion) {
  const inventory::Costs& cost = model.cost();
  return {{"shelf_life", model.shelf_life()},
          {"capacity", model.capacity()},
          {"max_order", model.largest_order(0)},
          {"days", model.days()},
          {"states", model.states()},
          {"gamma", criterion.gamma},
          {"loss", criterion.loss.to_string()},
          {"cost",
           {{"order", cost.order},
            {"holding", cost.holding},
            {"shortage", cost.shortage},
            {"wastage", cost.wastage}}},
          {"fresh", model.arrival().is_fresh()}};
}

/// One base-36 digit per state, or two if orders need them: a page may hold hundreds of thousands.
std::string digits_of(const inventory::Model& model, const Policy& orders) {
  constexpr std::string_view digits = "0123456789abcdefghijklmnopqrstuvwxyz";
  std::string text;
  for (const ActionIndex z : orders) {
    const auto order = static_cast<std::size_t>(z);
    if (model.capacity() >= digits.size()) text += digits[order / digits.size()];
    text += digits[order % digits.size()];
  }
  return text;
}

Json orders_of(const inventory::Model& model, const Policy& orders) {
  return {{"ages", model.stocks().length()},
          {"capacity", model.capacity()},
          {"days", model.days()},
          {"digits", digits_of(model, orders)}};
}

Json recommendation_of(const inventory::Model& model, const Solution& solution) {
  Json at_empty = Json::array();
  Json by_total = Json::array();
  const std::size_t most = model.stocks().length() == 0 ? 0 : model.capacity();
  for (std::size_t day = 0; day < model.days(); ++day) {
    at_empty.push_back(solution.policy[day * model.stocks().size()]);
    for (std::size_t total = 0; total <= most; ++total) {
      const auto [least, largest] = order_range(model, solution.policy, day, total);
      by_total.push_back({{"day", day}, {"total", total}, {"least", least}, {"most", largest}});
    }
  }
  return {{"value_at_empty", solution.values.front()},
          {"error_bound", solution.error_bound},
          {"status", to_string(solution.status)},
          {"order_at_empty", at_empty},
          {"by_total", by_total}};
}

/// `ratio`: how much more costs on one side of the planned level count than on the other.
Json attitude_of(const char* kind, const Json& ratio = nullptr) {
  return {{"kind", kind}, {"weight_ratio", ratio}};
}

Json attitude_of(const AnyLoss& loss) {
  const auto& variant = loss.variant();
  if (const auto* const expectile = std::get_if<Expectile>(&variant)) {
    const double tau = expectile->tau();
    if (tau == 0.5) return attitude_of("neutral");
    return tau > 0.5 ? attitude_of("averse", tau / (1.0 - tau))
                     : attitude_of("seeking", (1.0 - tau) / tau);
  }
  if (std::holds_alternative<Mean>(variant)) return attitude_of("neutral");
  const bool is_entropic = std::holds_alternative<Entropic>(variant) ||
                           std::holds_alternative<TruncatedEntropic>(variant);
  return attitude_of(is_entropic ? "averse" : "other");
}

Json conclusions_of(const inventory::Model& model, const AnyLoss& loss, const Policy& orders) {
  std::size_t nothing_from = 0;
  bool falls_with_stock = true;
  const std::size_t most = model.stocks().length() == 0 ? 0 : model.capacity();
  for (std::size_t day = 0; day < model.days(); ++day) {
    ActionIndex before = std::numeric_limits<ActionIndex>::max();
    for (std::size_t total = 0; total <= most; ++total) {
      const ActionIndex largest = order_range(model, orders, day, total).most;
      if (largest > 0) nothing_from = std::max(nothing_from, total + 1);
      falls_with_stock = falls_with_stock && largest <= before;
      before = largest;
    }
  }
  return {{"attitude", attitude_of(loss)},
          {"nothing_from", nothing_from > model.capacity() ? Json() : Json(nothing_from)},
          {"falls_with_stock", falls_with_stock}};
}

Json demand_of(const inventory::Model& model) {
  Json rows = Json::array();
  for (std::size_t day = 0; day < model.days(); ++day) {
    const auto law = model.demand(day);
    for (std::size_t units = 0; units < law.size(); ++units) {
      rows.push_back({{"day", day}, {"units", units}, {"probability", law[units]}});
    }
  }
  return rows;
}

Json arrival_of(const inventory::Model& model) {
  Json rows = Json::array();
  for (std::size_t order = 1; order <= model.largest_order(0); ++order) {
    const std::vector<double> law = model.arrival().probabilities(order);
    for (std::size_t i = 0; i < law.size(); ++i) {
      rows.push_back({{"order", order}, {"periods_left", i + 1}, {"probability", law[i]}});
    }
  }
  return rows;
}

/// Computes the parts of a plan that need a solver or a simulation.
class Planner {
 public:
  Planner(const PlanOptions& options, const InventoryPoint& point, CommandMonitor& watch)
      : options_(options), point_(point), solver_(options, watch) {}

  Solution solve() {
    Solution solution = solver_.solve(point_.configuration, "optimal");
    outcomes_.push_back({solution.status, solution.error_bound});
    return solution;
  }

  /// The best orders at each level of risk, and their simulated costs and service.
  Json levels() {
    const auto& [model, criterion] = point_.configuration;
    const auto [parameter, levels] = risk_levels(criterion.loss, options_.levels);
    Json rows = Json::array();
    for (const auto& [level, loss, is_chosen] : levels) {
      const io::InventoryConfiguration configuration{model, {loss, criterion.gamma}};
      const Solution solution = solver_.solve(configuration, "optimal");
      outcomes_.push_back({solution.status, solution.error_bound});
      const auto simulated = simulate(solution.policy, parameter);
      rows.push_back({{"parameter", parameter},
                      {"level", level},
                      {"loss", loss.to_string()},
                      {"value_at_empty", solution.values.front()},
                      {"order_at_empty", solution.policy.front()},
                      {"cost_mean", simulated.mean},
                      {"cost_q95", simulated.quantile(0.95)},
                      {"service_level", simulated.service_level},
                      {"periods_short", simulated.periods_short},
                      {"wasted_fraction", simulated.wasted_fraction},
                      {"wastage_rate", simulated.wastage_rate},
                      {"is_chosen", is_chosen}});
    }
    return rows;
  }

  /// Compares the best orders with simpler rules on identical random demand and deliveries: adds
  /// `policies` and `costs`.
  void add_policies(Json& data, double optimum) {
    data["policies"] = Json::array();
    data["costs"] = Json::array();
    for (const char* const name : {"optimal", "static", "myopic", "risk-neutral"}) {
      const ChosenOrders chosen = chosen_orders(name, point_, solver_, options_.threads);
      const Solution value = solver_.evaluate(point_.configuration, chosen.orders, name);
      outcomes_.insert(outcomes_.end(), {chosen.outcome, {value.status, value.error_bound}});
      const auto simulated = simulate(chosen.orders, name);
      const double at_empty = value.values.front();
      Json row = {
          {"policy", name},
          {"value_at_empty", at_empty},
          {"gap_percent", optimum > 0.0 ? Json(100.0 * (at_empty / optimum - 1.0)) : Json()},
          {"cost_mean", simulated.mean},
          {"cost_standard_error", simulated.standard_error},
          {"cost_q50", simulated.quantile(0.5)},
          {"cost_q95", simulated.quantile(0.95)},
          {"cost_q99", simulated.quantile(0.99)}};
      row.update(Json(rates_as_json(simulated)));
      data["policies"].push_back(std::move(row));
      for (int k = 0; k < distribution_points; ++k) {
        const double probability = static_cast<double>(k) / (distribution_points - 1);
        data["costs"].push_back({{"policy", name},
                                 {"probability", probability},
                                 {"discounted_cost", simulated.quantile(probability)}});
      }
    }
  }

  std::vector<Outcome> outcomes() const { return outcomes_; }

 private:
  inventory::SimulationResult simulate(const Policy& orders, const std::string& name) {
    return simulate_orders(point_.configuration, orders, {options_, options_}, name,
                           solver_.watch());
  }

  const PlanOptions& options_;
  const InventoryPoint& point_;
  InventorySolver solver_;
  std::vector<Outcome> outcomes_;
};

}  // namespace

Plan make_plan(const PlanOptions& options, const InventoryPoint& point, CommandMonitor& watch) {
  const auto& [model, criterion] = point.configuration;
  Planner planner(options, point, watch);
  const Solution solution = planner.solve();
  const std::string source = std::filesystem::path(io::input_name(options.config)).filename();
  Json data = {
      {"kind", "plan"},
      {"source", source},
      {"version", SHORTFALL_VERSION},
      {"seed", options.seed},
      {"model", json_of(model, criterion)},
      {"recommendation", recommendation_of(model, solution)},
      {"orders", orders_of(model, solution.policy)},
      {"demand", demand_of(model)},
      {"arrival", arrival_of(model)},
      {"levels", planner.levels()},
      {"simulation", {{"periods", options.periods}, {"replications", options.replications}}}};
  planner.add_policies(data, solution.values.front());
  return {.data = std::move(data),
          .conclusions = conclusions_of(model, criterion.loss, solution.policy),
          .orders = solution.policy,
          .outcomes = planner.outcomes()};
}

}  // namespace shortfall::app

#include "report/plan_page.hpp"

#include <algorithm>
#include <string_view>
#include <utility>
#include <vector>

#include "files/atomic_file.hpp"
#include "report/page.hpp"
#include "report/plan_records_json.hpp"
#include "report/simulation_rates.hpp"
#include "report/stock_values.hpp"
#include "shortfall/formats/order_policy_csv.hpp"

namespace shortfall::report {
namespace {

/// One number, or seven if they differ by day.
template <class Number>
Json one_or_week(const inventory::Model& model, const Number& number) {
  Json week = Json::array();
  for (std::size_t day = 0; day < model.days(); ++day) week.push_back(number(day));
  const bool same = std::ranges::all_of(week, [&](const Json& other) { return other == week[0]; });
  return same ? week[0] : week;
}

Json model_of(const inventory::Model& model, const Criterion& criterion) {
  const auto cost = [&](double inventory::Costs::*member) {
    return one_or_week(model, [&](std::size_t day) { return model.cost(day).*member; });
  };
  using inventory::Costs;
  return {{"shelf_life", model.shelf_life()},
          {"capacity", model.capacity()},
          {"max_order",
           one_or_week(model, [&](std::size_t day) { return model.largest_order(day, 0); })},
          {"days", model.days()},
          {"states", model.states()},
          {"gamma", criterion.gamma},
          {"loss", criterion.loss.to_string()},
          {"cost",
           {{"order", cost(&Costs::order)},
            {"unit", cost(&Costs::unit)},
            {"holding", cost(&Costs::holding)},
            {"shortage", cost(&Costs::shortage)},
            {"wastage", cost(&Costs::wastage)}}},
          {"fresh", std::ranges::all_of(model.parts().arrival, &inventory::Arrival::is_fresh)}};
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
      const auto [least, largest] = inventory::order_range(model, solution.policy, day, total);
      by_total.push_back({{"day", day}, {"total", total}, {"least", least}, {"most", largest}});
    }
  }
  return {{"value_at_empty", solution.values.front()},
          {"error_bound", solution.error_bound},
          {"status", to_string(solution.status)},
          {"order_at_empty", at_empty},
          {"by_total", by_total}};
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

/// By day if deliveries differ by day, and by order unless they are plain shares.
Json arrival_of(const inventory::Model& model) {
  Json rows = Json::array();
  const std::vector<inventory::Arrival>& arrivals = model.parts().arrival;
  const bool by_order = std::ranges::any_of(arrivals, &inventory::Arrival::depends_on_order) ||
                        std::ranges::all_of(arrivals, &inventory::Arrival::is_fresh);
  for (std::size_t day = 0; day < arrivals.size(); ++day) {
    const std::size_t largest =
        arrivals.size() > 1 ? model.largest_order(day, 0) : model.max_order();
    for (std::size_t order = 1; order <= (by_order ? largest : std::min<std::size_t>(largest, 1));
         ++order) {
      const std::vector<double> law = arrivals[day].probabilities(order);
      for (std::size_t i = 0; i < law.size(); ++i) {
        Json row = Json::object();
        if (arrivals.size() > 1) row["day"] = day;
        if (by_order) row["order"] = order;
        row["periods_left"] = i + 1;
        row["probability"] = law[i];
        rows.push_back(std::move(row));
      }
    }
  }
  return rows;
}

Json levels_of(const inventory::Plan& plan) {
  Json rows = Json::array();
  for (const auto& [level, is_chosen, optimum, forecast] : plan.levels) {
    const auto& [loss, solution] = plan.optima[optimum];
    const inventory::SimulationResult& simulated = forecast.simulated;
    rows.push_back({{"parameter", plan.parameter},
                    {"level", level},
                    {"loss", loss.to_string()},
                    {"value_at_empty", solution.values.front()},
                    {"order_at_empty", solution.policy.front()},
                    {"cost_mean", simulated.mean},
                    {"cost_q95", forecast.cost_quantile(0.95)},
                    {"service_level", simulated.service_level},
                    {"periods_short", simulated.periods_short},
                    {"wasted_fraction", simulated.wasted_fraction},
                    {"wastage_rate", simulated.wastage_rate},
                    {"is_chosen", is_chosen},
                    {"cost_per_period", simulated.cost_per_period},
                    {"month_bad", forecast.month ? Json(forecast.month->bad) : Json()}});
  }
  return rows;
}

Json policies_of(const inventory::Plan& plan) {
  const double optimum = plan.recommended().values.front();
  Json rows = Json::array();
  for (const inventory::PlanPolicy& policy : plan.policies) {
    const inventory::Forecast& forecast = policy.forecast;
    const double value = policy.value_at_empty;
    Json row = {{"policy", policy.name},
                {"value_at_empty", value},
                {"gap_percent", optimum > 0.0 ? Json(100.0 * (value / optimum - 1.0)) : Json()},
                {"cost_mean", forecast.simulated.mean},
                {"cost_standard_error", forecast.simulated.standard_error},
                {"cost_q50", forecast.cost_quantile(0.5)},
                {"cost_q95", forecast.cost_quantile(0.95)},
                {"cost_q99", forecast.cost_quantile(0.99)}};
    row.update(rates_of(forecast.simulated));
    row["is_own"] = !policy.own.empty();
    row["extra_per_period"] = forecast.extra_per_period;
    row["extra_standard_error"] = forecast.extra_standard_error;
    row["month_median"] = forecast.month ? Json(forecast.month->median) : Json();
    row["month_bad"] = forecast.month ? Json(forecast.month->bad) : Json();
    rows.push_back(std::move(row));
  }
  return rows;
}

Json costs_of(const inventory::Plan& plan) {
  Json rows = Json::array();
  for (const inventory::PlanPolicy& policy : plan.policies) {
    for (std::size_t k = 0; k < policy.forecast.cost_quantiles.size(); ++k) {
      rows.push_back({{"policy", policy.name},
                      {"probability", static_cast<double>(k) / inventory::Forecast::steps},
                      {"discounted_cost", policy.forecast.cost_quantiles[k]}});
    }
  }
  return rows;
}

Json json_of(const inventory::PlanConclusions& conclusions) {
  const auto& [attitude, nothing_from, falls_with_stock] = conclusions;
  return {{"attitude",
           {{"kind", name_of(attitude.kind, attitude_names)},
            {"weight_ratio", attitude.weight_ratio ? Json(*attitude.weight_ratio) : Json()}}},
          {"nothing_from", nothing_from ? Json(*nothing_from) : Json()},
          {"falls_with_stock", falls_with_stock}};
}

/// Null where the page cannot compute with them.
Json values_of(const inventory::Plan& plan) {
  const bool fits = plan.model.states() <= most_values_in_a_page;
  const bool is_known = plan.criterion.loss.to_string() != "custom";
  return fits && is_known ? digits_of_values(plan.recommended().values) : Json();
}

Json own_rules_of(const inventory::Plan& plan) {
  Json rules = Json::array();
  for (const inventory::PlanPolicy& policy : plan.policies) {
    if (policy.own.empty()) continue;
    rules.push_back({{"policy", policy.name}, {"digits", digits_of(plan.model, policy.own)}});
  }
  return rules;
}

}  // namespace

Json json_of(const PlanDocument& document) {
  const inventory::Plan& plan = document.plan;
  const auto& [source, product, currency, date] = document.header;
  Json data = {{"kind", "plan"},
               {"source", source},
               {"product", product},
               {"currency", currency},
               {"date", date},
               {"version", SHORTFALL_VERSION},
               {"seed", plan.seed},
               {"model", model_of(plan.model, plan.criterion)},
               {"recommendation", recommendation_of(plan.model, plan.recommended())},
               {"orders", orders_of(plan.model, plan.recommended().policy)},
               {"demand", demand_of(plan.model)},
               {"arrival", arrival_of(plan.model)},
               {"levels", levels_of(plan)},
               {"simulation", {{"periods", plan.periods}, {"replications", plan.replications}}},
               {"policies", policies_of(plan)},
               {"costs", costs_of(plan)},
               {"records", nullptr}};
  if (document.records != nullptr) data["records"] = json_of(*document.records, plan.model);
  return data;
}

std::string html_of(const PlanDocument& document) {
  Json data = json_of(document);
  data["conclusions"] = json_of(document.plan.conclusions);
  data["values"] = values_of(document.plan);
  data["own_rules"] = own_rules_of(document.plan);
  return html_of(Page::plan, data);
}

void write_csv(const std::filesystem::path& directory, const PlanDocument& document) {
  const inventory::Plan& plan = document.plan;
  const Json data = json_of(document);
  const auto write = [&](const std::string& name, const Json& rows) {
    io::write_file((directory / (name + ".csv")).string(), csv_of(rows));
  };
  for (const char* name : {"levels", "policies", "costs", "demand", "arrival"}) {
    write(name, data[name]);
  }
  write("orders_by_total", data["recommendation"]["by_total"]);
  if (document.records != nullptr) {
    const Json& records = data["records"];
    write("backtest", records["backtest"]["policies"]);
    if (!records["fit"].is_null()) write("recorded_demand", records["fit"]["counts"]);
  }
  io::write_order_policy_csv((directory / "orders.csv").string(), plan.model,
                             plan.recommended().policy);
}

}  // namespace shortfall::report

#include "report/plan_page.hpp"

#include <algorithm>
#include <stdexcept>

#include "files/atomic_file.hpp"
#include "report/inventory_results.hpp"
#include "report/page.hpp"
#include "report/rows.hpp"
#include "shortfall/formats/order_policy_csv.hpp"

namespace shortfall::report {
namespace {

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

std::string html_of(const PlanDocument& document) {
  Json data = document_of(plan_report(document));
  data["conclusions"] = json_of(document.plan.conclusions);
  data["values"] = values_of(document.plan);
  data["own_rules"] = own_rules_of(document.plan);
  return html_of(Page::plan, data);
}

void write_csv(const std::filesystem::path& directory, const PlanDocument& document) {
  const inventory::Plan& plan = document.plan;
  const Json data = document_of(plan_report(document));
  const auto path_of = [&](const std::string& name) {
    const std::string file = name + ".csv";
    if (std::ranges::count(plan_tables, file) == 0) throw std::logic_error("undeclared " + file);
    return (directory / file).string();
  };
  const auto write = [&](const std::string& name, const Json& rows) {
    io::write_file(path_of(name), csv_of(rows));
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
  io::write_order_policy_csv(path_of("orders"), plan.model, plan.recommended().policy);
}

}  // namespace shortfall::report

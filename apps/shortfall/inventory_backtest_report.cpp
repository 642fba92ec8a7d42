#include "apps/shortfall/inventory_backtest_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/shortfall/text_table.hpp"
#include "text/text.hpp"

namespace shortfall::app {
namespace {

using inventory::Backtest;
using inventory::BacktestDay;
using inventory::BacktestPolicy;
using inventory::iso_date;

nlohmann::json policy_json(const BacktestPolicy& policy) {
  return {{"cost", policy.cost},
          {"cost_per_day", policy.cost_per_day},
          {"order_cost", policy.order_cost},
          {"unit_cost", policy.unit_cost},
          {"holding_cost", policy.holding_cost},
          {"shortage_cost", policy.shortage_cost},
          {"wastage_cost", policy.wastage_cost},
          {"orders", policy.orders},
          {"units_ordered", policy.units_ordered},
          {"units_short", policy.units_short},
          {"days_short", policy.days_short},
          {"shortages", name_of(policy.shortages, inventory::shortages_names)},
          {"units_expired", policy.units_expired},
          {"service_level", policy.service_level}};
}

/// "stock_1,stock_2": columns by periods left.
std::string columns(const char* name, std::size_t count) {
  std::string text;
  for (std::size_t i = 1; i <= count; ++i) text += fmt::format("{}_{},", name, i);
  return text;
}

}  // namespace

void add_backtest(nlohmann::json& document, const Backtest& result) {
  const std::vector<BacktestDay>& days = result.policies.front().days;
  document["days"] = result.days;
  document["warmup_days"] = result.warmup_days;
  document["closed_days"] = result.closed_days;
  document["censored_days"] = result.censored_days;
  document["first"] = iso_date(days.front().date);
  document["last"] = iso_date(days.back().date);
  document["start"] = result.start;
  document["refits"] = nlohmann::json::array();
  for (const auto& date : result.refits) document["refits"].push_back(iso_date(date));
  for (const BacktestPolicy& policy : result.policies) {
    document["policies"][policy.name] = policy_json(policy);
  }
  document["warnings"] = result.warnings;
}

std::string backtest_text(const Backtest& result) {
  const std::vector<BacktestDay>& days = result.policies.front().days;
  std::string text = fmt::format("{} to {}: {}, and {} without a row; {} in stock at first\n",
                                 iso_date(days.front().date), iso_date(days.back().date),
                                 io::counted(result.days, "day"), result.closed_days,
                                 fmt::join(result.start, ", "));
  if (!result.refits.empty()) {
    text += fmt::format("fitted {}, each time to the rows before; {} not compared\n",
                        io::counted(result.refits.size(), "time"),
                        io::counted(result.warmup_days, "earlier day"));
  }
  TextTable table(TextTable::Align::first_left);
  table.add({"policy", "cost", "per day", "orders", "units ordered", "units short", "days short",
             "expired", "supplied"});
  for (const BacktestPolicy& policy : result.policies) {
    const bool is_bound = policy.shortages == inventory::Shortages::at_least;
    const char* const at_least = is_bound ? "at least " : "";
    const char* const at_most = is_bound ? "at most " : "";
    table.add(
        {policy.name, fmt::format("{:.2f}", policy.cost),
         fmt::format("{:.3f}", policy.cost_per_day), fmt::format("{}", policy.orders),
         fmt::format("{}", policy.units_ordered), fmt::format("{}{}", at_least, policy.units_short),
         fmt::format("{}{}", at_least, policy.days_short), fmt::format("{}", policy.units_expired),
         fmt::format("{}{:.2f} %", at_most, 100.0 * policy.service_level)});
  }
  text += "\n" + table.text();
  for (const std::string& warning : result.warnings) text += fmt::format("\nNote: {}.", warning);
  return text + (result.warnings.empty() ? "" : "\n");
}

std::string backtest_csv(const Backtest& result) {
  const BacktestDay& first = result.policies.front().days.front();
  std::string text =
      fmt::format("policy,date,closed,{}ordered,{}demand,short,left,expired,cost\n",
                  columns("stock", first.stock.size()), columns("received", first.received.size()));
  for (const BacktestPolicy& policy : result.policies) {
    for (const BacktestDay& day : policy.days) {
      text += fmt::format("{},{},{:d},", policy.name, iso_date(day.date), day.is_closed);
      for (const std::uint32_t units : day.stock) text += fmt::format("{},", units);
      text += fmt::format("{},{},{},{},{},{},{}\n", day.ordered, fmt::join(day.received, ","),
                          day.demand, day.missing, day.left, day.expired, day.cost);
    }
  }
  return text;
}

}  // namespace shortfall::app

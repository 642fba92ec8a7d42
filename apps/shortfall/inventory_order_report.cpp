#include "apps/shortfall/inventory_order_report.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <numeric>

#include "apps/shortfall/text_table.hpp"
#include "shortfall/inventory/records.hpp"

namespace shortfall::app {
namespace {

using inventory::OrderAnswer;
using inventory::OrderChoice;

nlohmann::json choice_json(const OrderChoice& choice) {
  return {{"order", choice.order},
          {"value", choice.value},
          {"extra", choice.extra},
          {"chance_of_shortage", choice.chance_of_shortage},
          {"expected_short", choice.expected_short},
          {"expected_expired", choice.expected_expired},
          {"expected_expired_in_all", choice.expected_expired_in_all},
          {"expected_left", choice.expected_left},
          {"expected_cost", choice.expected_cost}};
}

/// The orders to show: all, or those around the best, the next best, nothing, and those of the
/// rules.
std::vector<std::size_t> shown_orders(const OrderAnswer& answer,
                                      const std::vector<RuleToday>& rules) {
  constexpr std::size_t most = 9;
  constexpr std::size_t around = 3;
  std::vector<std::size_t> orders(answer.choices.size());
  std::iota(orders.begin(), orders.end(), std::size_t{0});
  if (orders.size() <= most) return orders;
  std::erase_if(orders, [&](std::size_t z) {
    const bool is_near = z + around >= answer.order && z <= answer.order + around;
    return !is_near && z != 0 && z != answer.next_best() &&
           std::ranges::find(rules, z, &RuleToday::order) == rules.end();
  });
  return orders;
}

std::string table_of(const OrderAnswer& answer, const std::vector<RuleToday>& rules) {
  TextTable table;
  table.add({"", "order", "risk-adjusted cost", "more", "runs short", "units short", "expire today",
             "in all"});
  for (const std::size_t z : shown_orders(answer, rules)) {
    const OrderChoice& choice = answer.choices[z];
    table.add({z == answer.order ? ">" : "", fmt::format("{}", z),
               fmt::format("{:.5f}", choice.value), fmt::format("{:.5f}", choice.extra),
               fmt::format("{:.2f} %", 100.0 * choice.chance_of_shortage),
               fmt::format("{:.3f}", choice.expected_short),
               fmt::format("{:.3f}", choice.expected_expired),
               fmt::format("{:.3f}", choice.expected_expired_in_all)});
  }
  return table.text();
}

}  // namespace

void add_answer(nlohmann::json& document, const OrderAnswer& answer,
                const std::vector<RuleToday>& rules) {
  nlohmann::json best = choice_json(answer.recommended());
  best.erase("extra");
  document.update(best);
  document["error_bound"] = answer.error_bound;
  document["reason"] = answer.reason;
  document["stock"] = answer.today.stock;
  document["choices"] = nlohmann::json::array();
  for (const OrderChoice& choice : answer.choices) {
    document["choices"].push_back(choice_json(choice));
  }
  document["compare"] = nlohmann::json::object();
  for (const auto& [name, order] : rules) {
    const OrderChoice& choice = answer.choices[order];
    document["compare"][name] = {
        {"order", order}, {"value", choice.value}, {"extra", choice.extra}};
  }
}

std::string answer_text(const OrderAnswer& answer, const std::vector<RuleToday>& rules,
                        std::size_t days) {
  const auto& stock = answer.today.stock;
  std::string text = days == 1
                         ? std::string()
                         : fmt::format("Day: {}\n", inventory::weekday_name(answer.today.day));
  if (!stock.empty()) {
    text += fmt::format(
        "In stock: {} ({} with 1{} left)\n", answer.today.total(), fmt::join(stock, ", "),
        stock.size() == 1 ? " period" : fmt::format(" to {} periods", stock.size()));
  }
  text += fmt::format("\n{}\n\n{}\n", answer.reason, table_of(answer, rules));
  for (const auto& [name, order] : rules) {
    text += fmt::format("{} orders {}, {}\n", name, order,
                        order == answer.order
                            ? std::string("too")
                            : fmt::format("which costs {:.5f} more if optimal orders follow",
                                          answer.choices[order].extra));
  }
  text += fmt::format(
      "{}Risk-adjusted costs are of this period and all later ones, discounted; each is within "
      "{:.2g} of exact.\n"
      "Units that expire in all are those in stock and in the order if nothing more is ordered.\n",
      rules.empty() ? "" : "\n", answer.error_bound);
  return text;
}

}  // namespace shortfall::app

// Answers for many stocks of one plan, for the page to give the same:
//
//   order_answers PLAN RULE [KEY=VALUE...] < STOCKS > ANSWERS
//
// A line of STOCKS has the day and the units by age, "3 1 0 2". Its line of ANSWERS is JSON with
// the keys of `shortfall inventory order`, and `own`, the order of RULE.
#include <cstddef>
#include <cstdint>
#include <exception>
#include <iostream>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "shortfall/formats/inventory_toml.hpp"
#include "shortfall/formats/order_rule.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/inventory/plan/order.hpp"

namespace shortfall {
namespace {

nlohmann::json json_of(const inventory::OrderChoice& choice) {
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

inventory::StockToday parse_stock(const std::string& line, const inventory::Model& model) {
  std::istringstream words(line);
  std::size_t day = 0;
  words >> day;
  std::vector<std::int64_t> stock;
  for (std::int64_t units = 0; words >> units;) stock.push_back(units);
  return inventory::stock_today(model, stock, model.days() > 1 ? std::optional(day) : std::nullopt);
}

void answer_all(std::span<char*> arguments) {
  io::InventoryToml plan{std::string(arguments[0])};
  for (const char* const assignment : arguments.subspan(2)) plan.set(assignment);
  const auto [model, criterion] = plan.configuration();
  const inventory::Rule rule = io::read_rule(arguments[1], model);
  const Solution solution = inventory::solve(model, criterion);
  for (std::string line; std::getline(std::cin, line);) {
    const inventory::StockToday today = parse_stock(line, model);
    const auto answer = inventory::best_order(model, criterion, solution, today);
    const auto own = inventory::order_of(rule, model, criterion, today);
    nlohmann::json document{{"order", answer.order},
                            {"error_bound", answer.error_bound},
                            {"reason", answer.reason},
                            {"own", own.value()},
                            {"choices", nlohmann::json::array()}};
    for (const inventory::OrderChoice& choice : answer.choices)
      document["choices"].push_back(json_of(choice));
    std::cout << document << '\n';
  }
}

}  // namespace
}  // namespace shortfall

int main(int count, char** arguments) {
  try {
    if (count < 3) throw std::runtime_error("usage: order_answers PLAN RULE [KEY=VALUE...]");
    shortfall::answer_all(std::span(arguments, static_cast<std::size_t>(count)).subspan(1));
    return 0;
  } catch (const std::exception& error) {
    std::cerr << "order_answers: " << error.what() << '\n';
    return 1;
  }
}

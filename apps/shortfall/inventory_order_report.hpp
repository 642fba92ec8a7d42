#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/shortfall/inventory_command.hpp"
#include "shortfall/inventory/order.hpp"

/// The output of `inventory order`.
namespace shortfall::app {

/// What a rule orders today.
struct RuleToday {
  std::string name;
  std::size_t order;
};

/// Keys of the answer, added to the document of the instance.
void add_answer(nlohmann::json& document, const inventory::OrderAnswer& answer,
                const std::vector<RuleToday>& rules);

/// The answer, its reason, the orders around it, and the rules. Days of the model: 1 or 7.
std::string answer_text(const inventory::OrderAnswer& answer, const std::vector<RuleToday>& rules,
                        std::size_t days);

}  // namespace shortfall::app

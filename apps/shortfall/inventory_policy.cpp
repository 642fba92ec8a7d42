#include "inventory_policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "shortfall/error.hpp"
#include "shortfall/io/csv.hpp"
#include "shortfall/io/order_policy_csv.hpp"

namespace shortfall::app {
namespace {

constexpr std::string_view base_stock = "base-stock:";
constexpr std::string_view reorder = "reorder:";

[[noreturn]] void refuse(const std::string& word, std::string_view problem,
                         std::string_view accepted) {
  throw InvalidInput(fmt::format("--policy {}: {}; accepted: {}", word, problem, accepted));
}

/// The levels of base-stock:S, as (S-1, S), and of reorder:s,S.
inventory::ReorderLevels levels_of(const std::string& word) {
  constexpr std::uint32_t most = inventory::largest_capacity;
  if (word.starts_with(base_stock)) {
    const auto level = io::parse_id(std::string_view(word).substr(base_stock.size()), most);
    if (!level || *level == 0) {
      refuse(word, "this is no level", "base-stock:S with S from 1 to the capacity");
    }
    return {*level - 1, *level};
  }
  const std::string_view levels = std::string_view(word).substr(reorder.size());
  const std::size_t comma = std::min(levels.find(','), levels.size());
  const auto reorder_at = io::parse_id(levels.substr(0, comma), most);
  const auto up_to =
      comma < levels.size() ? io::parse_id(levels.substr(comma + 1), most) : std::nullopt;
  if (!reorder_at || !up_to || *reorder_at >= *up_to) {
    refuse(word, "these are no levels", "reorder:s,S with s below S, and S at most the capacity");
  }
  return {*reorder_at, *up_to};
}

Policy orders_by_levels(const std::string& word, const inventory::Model& model) {
  const inventory::ReorderLevels levels = levels_of(word);
  if (levels.order_up_to > model.capacity()) {
    refuse(word, fmt::format("the level {} is above the capacity", levels.order_up_to),
           fmt::format("levels up to {}", model.capacity()));
  }
  return inventory::reorder_policy(model, levels);
}

ChosenOrders solved(const std::string& word, Solution solution) {
  return {.word = word, .orders = std::move(solution.policy), .status = solution.status};
}

}  // namespace

void check_policy_word(const std::string& word) {
  if (word.starts_with(base_stock) || word.starts_with(reorder)) {
    (void)levels_of(word);
    return;
  }
  for (const char* known : {"optimal", "static", "myopic", "risk-neutral", "-"}) {
    if (word == known) return;
  }
  std::error_code ignored;
  if (std::filesystem::exists(word, ignored)) return;
  refuse(word, "this is neither a policy nor a file",
         "optimal, static, myopic, risk-neutral, base-stock:S, reorder:s,S or a CSV file");
}

ChosenOrders chosen_orders(const std::string& word, const InventoryPoint& point,
                           InventorySolver& solver, int threads) {
  const auto& [model, criterion] = point.configuration;
  if (word == "optimal") return solved(word, solver.solve(point.configuration, word));
  if (word == "risk-neutral") {
    return solved(word, solver.solve({model, {Mean(), criterion.gamma}}, word));
  }
  if (word == "static") {
    ChosenOrders chosen{.word = word, .orders = {}};
    chosen.non_perishable = inventory::solve_non_perishable(model, criterion);
    chosen.orders = inventory::static_policy(model, *chosen.non_perishable);
    return chosen;
  }
  if (word == "myopic") {
    return {.word = word,
            .orders = inventory::myopic_policy(model, criterion, {.threads = threads})};
  }
  if (word.starts_with(base_stock) || word.starts_with(reorder)) {
    return {.word = word, .orders = orders_by_levels(word, model)};
  }
  return {.word = word, .orders = io::read_order_policy_csv(word, model)};
}

}  // namespace shortfall::app

#include "apps/shortfall/inventory_policy.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/option_checks.hpp"
#include "require.hpp"
#include "shortfall/formats/order_policy_csv.hpp"
#include "text/number.hpp"

namespace shortfall::app {
namespace {

constexpr std::string_view base_stock = "base-stock:";
constexpr std::string_view reorder = "reorder:";

/// The levels of base-stock:S, as (S-1, S), and of reorder:s,S.
inventory::ReorderLevels levels_of(const std::string& name) {
  constexpr std::uint32_t most = inventory::largest_capacity;
  if (name.starts_with(base_stock)) {
    const std::uint32_t level =
        io::parse_id(std::string_view(name).substr(base_stock.size()), most).value_or(0);
    require(
        level > 0,
        "--policy {}: this is not a level; accepted: base-stock:S with S from 1 to the capacity",
        name);
    return {level - 1, level};
  }
  const std::string_view levels = std::string_view(name).substr(reorder.size());
  const std::size_t comma = std::min(levels.find(','), levels.size());
  const std::uint32_t reorder_at = io::parse_id(levels.substr(0, comma), most).value_or(most);
  const std::uint32_t up_to =
      comma < levels.size() ? io::parse_id(levels.substr(comma + 1), most).value_or(0) : 0;
  require(reorder_at < up_to,
          "--policy {}: these are not levels; accepted: reorder:s,S with s below S, and S at most "
          "the capacity",
          name);
  return {reorder_at, up_to};
}

Policy orders_by_levels(const std::string& name, const inventory::Model& model) {
  const inventory::ReorderLevels levels = levels_of(name);
  require(levels.order_up_to <= model.capacity(),
          "--policy {}: the level {} is above the capacity; accepted: levels up to {}", name,
          levels.order_up_to, model.capacity());
  return inventory::reorder_policy(model, levels);
}

ChosenOrders solved(const std::string& name, Solution solution) {
  return {.name = name,
          .orders = std::move(solution.policy),
          .outcome = {solution.status, solution.error_bound}};
}

void check_orders(const InventoryOptions& options, const std::vector<std::string>& policies) {
  const auto policies_read = std::ranges::count(policies, "-");
  // Standard input can be read only once, but each point of a sweep reads its policy.
  require(
      policies_read == 0 || (policies_read == 1 && options.config != "-" && options.sweep.empty()),
      "standard input would be read more than once; accepted: - for one file, and not with "
      "--sweep");
}

ChosenOrders orders_named(const std::string& name, const InventoryPoint& point,
                          InventorySolver& solver, int threads) {
  const auto& [model, criterion] = point.configuration;
  if (name == "optimal") return solved(name, solver.solve(point.configuration, name));
  if (name == "risk-neutral") {
    return solved(name, solver.solve({model, {Mean(), criterion.gamma}}, name));
  }
  if (name == "static") {
    ChosenOrders chosen{.name = name, .orders = {}};
    chosen.non_perishable = inventory::solve_non_perishable(model, criterion);
    chosen.orders = inventory::static_policy(model, *chosen.non_perishable);
    return chosen;
  }
  if (name == "myopic") {
    return {.name = name,
            .orders = inventory::myopic_policy(
                model, criterion, {.threads = threads, .monitor = solver.watch().monitor(name)})};
  }
  if (name.starts_with(base_stock) || name.starts_with(reorder)) {
    return {.name = name, .orders = orders_by_levels(name, model)};
  }
  return {.name = name, .orders = io::read_order_policy_csv(name, model)};
}

}  // namespace

CLI::Option* add_orders(const Grammar& grammar, const InventoryOptions& options,
                        std::vector<std::string>& policies, const std::string& names) {
  grammar.add_check([&options, &policies] { check_orders(options, policies); });
  return add_repeated(
      grammar, "--policy", policies,
      names +
          ", base-stock:S (order up to S), reorder:s,S (order up to S when s or fewer are left), "
          "or a CSV file [day,]x1,..,order with day 0 to 6; repeat to compare policies");
}

void check_policy_name(const std::string& name) {
  if (name.starts_with(base_stock) || name.starts_with(reorder)) {
    (void)levels_of(name);
    return;
  }
  for (const char* known : {"optimal", "static", "myopic", "risk-neutral", "-"}) {
    if (name == known) return;
  }
  std::error_code ignored;
  require(std::filesystem::exists(name, ignored),
          "--policy {}: this is neither a policy nor an existing file; accepted: optimal, static, "
          "myopic, risk-neutral, base-stock:S, reorder:s,S or a CSV file",
          name);
}

ChosenOrders chosen_orders(const std::string& name, const InventoryPoint& point,
                           InventorySolver& solver, int threads) {
  ChosenOrders chosen = orders_named(name, point, solver, threads);
  solver.watch().check();
  return chosen;
}

}  // namespace shortfall::app

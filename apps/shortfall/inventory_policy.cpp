#include "apps/shortfall/inventory_policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>

#include "apps/shortfall/grammar.hpp"
#include "require.hpp"
#include "shortfall/error.hpp"
#include "shortfall/formats/order_rule.hpp"

namespace shortfall::app {
namespace {

/// Calls work(), and puts the option before the message of the InvalidInput it throws.
template <class Work>
auto naming(const std::string& option, const Work& work) {
  try {
    return work();
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{} {}", option, error.what()));
  }
}

void check_orders(const InventoryOptions& options, const std::vector<std::string>& policies) {
  const auto policies_read = std::ranges::count(policies, "-");
  // Standard input can be read only once, but each point of a sweep reads its policy.
  require(
      policies_read == 0 || (policies_read == 1 && options.config != "-" && options.sweep.empty()),
      "standard input would be read more than once; accepted: - for one file, and not with "
      "--sweep");
}

}  // namespace

CLI::Option* add_orders(const Grammar& grammar, const InventoryOptions& options,
                        const OrdersOption& option, std::vector<std::string>& policies) {
  grammar.add_check([&options, &policies] { check_orders(options, policies); });
  return add_repeated(
      grammar, option.name, policies,
      option.names +
          ", base-stock:S (order up to S), reorder:s,S (order up to S when s or fewer are left), "
          "fixed:N (always N), or a CSV file [day,]x1,..,order with day 0 to 6; repeat to compare "
          "policies");
}

void check_rule_name(const std::string& name, const std::string& option) {
  naming(option, [&] { io::check_rule_name(name); });
}

inventory::Rule rule_named(const std::string& name, const inventory::Model& model,
                           const std::string& option) {
  const std::optional<inventory::Rule> rule = inventory::parse_rule(name);
  if (rule) naming(option, [&] { inventory::check_rule(*rule, model); });
  return io::read_rule(name, model);
}

ChosenOrders chosen_orders(const std::string& name, const InventoryPoint& point,
                           InventorySolver& solver, int threads) {
  const auto& [model, criterion] = point.configuration;
  const inventory::Rule rule = solver.processes().together(
      [&, &model = model] { return rule_named(name, model, "--policy"); });
  inventory::RuleOrders found =
      inventory::orders_of(rule, model, criterion,
                           {.threads = threads,
                            .monitor = solver.watch().monitor(name),
                            .solve = [&, &model = model](const Criterion& other) {
                              return solver.solve({model, other}, name);
                            }});
  solver.watch().check();
  solver.processes().check_same(std::as_bytes(std::span(found.orders)), name);
  return {.name = name,
          .orders = std::move(found.orders),
          .outcome = {found.status, found.error_bound},
          .non_perishable = std::move(found.non_perishable)};
}

}  // namespace shortfall::app

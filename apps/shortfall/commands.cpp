#include "apps/shortfall/commands.hpp"

#include "apps/shortfall/grammar.hpp"

namespace shortfall::app {

/// Defined in the file of its command.
using AddCommand = void(const CommandGroup&);

// Compiled with their neighbours, some are defined before.
// NOLINTBEGIN(readability-redundant-declaration)
AddCommand add_risk, add_losses, add_solve, add_evaluate, add_convert, add_check, add_learn,
    add_show, add_study, add_reproduce;
AddCommand add_inventory_fit, add_inventory_solve, add_inventory_evaluate, add_inventory_train,
    add_inventory_simulate, add_inventory_report, add_inventory_order, add_inventory_backtest;
// NOLINTEND(readability-redundant-declaration)

// In the order of the help.
void add_commands(const CommandGroup& group) {
  add_risk(group);
  add_losses(group);
  add_solve(group);
  add_evaluate(group);
  add_convert(group);
  add_check(group);
  add_learn(group);
  add_show(group);
  add_study(group);
  const CommandGroup inventory = group.add_group(
      "inventory", "Ordering policies for perishable stock",
      "Example: shortfall inventory solve examples/platelets.toml --policy-out orders.csv");
  add_inventory_fit(inventory);
  add_inventory_solve(inventory);
  add_inventory_order(inventory);
  add_inventory_backtest(inventory);
  add_inventory_evaluate(inventory);
  add_inventory_train(inventory);
  add_inventory_simulate(inventory);
  add_inventory_report(inventory);
  add_reproduce(group);
}

}  // namespace shortfall::app

#include "apps/shortfall/inventory_arguments.hpp"

#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/option_checks.hpp"
#include "require.hpp"

namespace shortfall::app {
namespace {

void check_inventory(const InventoryOptions& options) {
  check_stopping(options.tolerance, options.max_iterations);
  require(options.sweep.size() <= 2, "--sweep is given {} times; accepted: at most twice",
          options.sweep.size());
}

void check_policy_out(const InventoryOptions& options, const std::string& policy_out) {
  check_is_file("--policy-out", policy_out);
  check_different("--policy-out", policy_out, "the configuration", options.config);
  require(policy_out.empty() || options.sweep.empty(),
          "--policy-out with --sweep; accepted: one of them: a file holds one policy");
}

}  // namespace

void add_inventory_options(const Grammar& grammar, InventoryOptions& options,
                           Randomness randomness) {
  grammar
      ->add_option(
          "config", options.config,
          "Inventory configuration in TOML; examples/platelets.toml explains each value; -: "
          "standard input")
      ->required();
  add_repeated(
      grammar, "--set", options.set,
      "Override a value for this run, such as cost.order=80 or risk.loss=mean; risk.tau=T is "
      "short for risk.loss=expectile:T; may be repeated");
  add_repeated(
      grammar, "--sweep", options.sweep,
      "Run once per value, such as risk.tau=0.1:0.9:0.1 or cost.order=10,20,50; given twice: "
      "all combinations");
  grammar
      ->add_option("--tolerance", options.tolerance, "Largest certified error allowed in any state")
      ->capture_default_str();
  add_choice(grammar, "--stopping", options.stopping, inventory::stopping_names,
             "certified; or paper: sweep from zero until values change by less than the tolerance, "
             "as in the published tables");
  grammar->add_option("--max-iterations", options.max_iterations, "Stop after this many iterations")
      ->capture_default_str();
  add_general_options(grammar, options, randomness);
  grammar.add_check([&options] { check_inventory(options); });
}

void add_policy_out(const Grammar& grammar, const InventoryOptions& options,
                    std::string& policy_out) {
  grammar
      ->add_option("--policy-out", policy_out,
                   "Write the orders to this CSV file: [day,]x1,..,order, where x_i units have i "
                   "periods left and day is 0 (Monday) to 6 (Sunday); not with --sweep")
      ->check(not_empty());
  grammar.add_check([&options, &policy_out] { check_policy_out(options, policy_out); });
}

}  // namespace shortfall::app

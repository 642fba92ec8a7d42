#pragma once

#include <cstddef>
#include <cstdint>
#include <ctime>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "apps/shortfall/command_monitor.hpp"
#include "apps/shortfall/options.hpp"
#include "apps/shortfall/processes.hpp"
#include "apps/shortfall/sweep.hpp"
#include "shortfall/dp/solution.hpp"
#include "shortfall/formats/inventory_toml.hpp"
#include "shortfall/formats/records_csv.hpp"
#include "shortfall/inventory/kernel/baselines.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/inventory/plan/rules.hpp"
#include "shortfall/inventory/simulate/simulate.hpp"

namespace CLI {
class Option;
}

/// Shared by the inventory commands: their options, the instances of a run, the solver, and
/// policies that are named on the command line.
namespace shortfall::app {

using inventory::Stopping;

/// Options of all inventory commands.
struct InventoryOptions : GeneralOptions {
  std::string config;
  std::vector<std::string> set;    ///< KEY=VALUE
  std::vector<std::string> sweep;  ///< KEY=VALUES, at most two
  Tolerance tolerance;
  int max_iterations = SolverOptions{}.max_iterations;
  Stopping stopping = Stopping::certified;
};

void add_inventory_options(const Grammar& grammar, InventoryOptions& options,
                           Randomness randomness);

/// --policy-out, a file for the orders. Needs the inventory options.
void add_policy_out(const Grammar& grammar, const InventoryOptions& options,
                    std::string& policy_out);

/// The configuration with the overrides of --set, and of one point of --sweep.
struct InventoryPoint {
  SweepPoint set;
  io::InventoryConfiguration configuration;
  std::vector<std::string> placeholder_costs = {};
  /// The capacities of all points, such as "24 to 27": one that is left out depends on other
  /// values.
  std::string capacities = {};
  std::string states = {};

  std::string name() const;  ///< "risk.tau=0.1 cost.order=20"; empty without sweep
};

/// All points, so that an invalid one is reported before any work is done. Throws InvalidInput if
/// the processes read different ones.
std::vector<InventoryPoint> inventory_points(const InventoryOptions& options,
                                             const Processes& processes = {});

/// Solves and evaluates with the options of a command. Each point of a sweep starts independently:
/// the values of another point are no better a start than the non-perishable optimum
/// (docs/experiments.md).
class InventorySolver {
 public:
  InventorySolver(const InventoryOptions& options, CommandMonitor& watch,
                  const Processes& processes = {})
      : options_(options), watch_(watch), processes_(processes) {}

  /// `name` is shown in progress messages.
  Solution solve(const io::InventoryConfiguration& configuration, const std::string& name);
  /// The same, and the optimum if nothing perished, which is where the certified solver starts.
  std::pair<Solution, inventory::NonPerishable> solve_with_non_perishable(
      const io::InventoryConfiguration& configuration, const std::string& name);
  Solution evaluate(const io::InventoryConfiguration& configuration, const Policy& orders,
                    const std::string& name);

  CommandMonitor& watch() { return watch_; }
  const Processes& processes() const { return processes_; }

 private:
  bool as_published() const { return options_.stopping == Stopping::paper; }
  template <class Work>
  Solution run(const std::string& name, const Work& work) const;

  const InventoryOptions& options_;
  CommandMonitor& watch_;
  Processes processes_;
};

/// An option that names ordering rules: --policy or --compare, and the beginning of its help.
struct OrdersOption {
  std::string name;
  std::string names;
};

/// The option, which is returned and may be repeated. Needs the inventory options.
CLI::Option* add_orders(const Grammar& grammar, const InventoryOptions& options,
                        const OrdersOption& option, std::vector<std::string>& policies);

/// How a solve or an evaluation ended.
struct Outcome {
  Status status = Status::iteration_limit;
  double error_bound = infinity;
};

/// The orders of a policy named on the command line, for one instance.
struct ChosenOrders {
  Policy orders;
  Outcome outcome = {};  ///< of the solver that computed it, if any
  std::optional<inventory::NonPerishable> non_perishable = {};  ///< of the static policy
};

/// Throws as fitting_rule(), and Stopped if a signal came while the orders were computed.
ChosenOrders chosen_orders(const inventory::Rule& rule, const InventoryPoint& point,
                           InventorySolver& solver, int threads);

/// As io::parse_order_rule(), for the names that an option was given. Called before any work is
/// done.
std::vector<inventory::Rule> parse_rules(const std::vector<std::string>& names,
                                         const std::string& option);

/// As io::fitting_rule(); messages about levels name the option.
inventory::Rule fitting_rule(const inventory::Rule& rule, const inventory::Model& model,
                             const std::string& option);

struct SimulationSize {
  std::uint64_t periods = 365;
  std::uint64_t replications = 10000;
};

void add_simulation_size(const Grammar& grammar, SimulationSize& size);

/// --columns, which headings the file of records has.
void add_columns(const Grammar& grammar, std::vector<io::ColumnHeading>& columns);

/// Whether the capacity limits the orders of a solution, in words (inventory/plan/capacity_check).
std::vector<std::string> capacity_warnings(const InventoryPoint& point, const Solution& solution);

/// The numbers of --stock 1,2,0,1; none for an empty text. Throws InvalidInput that names the
/// option unless all are integers.
std::vector<std::int64_t> parse_stock(const std::string& text);

/// "The costs order and holding are placeholders: ..", for people.
std::string placeholder_text(const std::vector<std::string>& placeholder_costs);

/// mon, .., sun.
std::string weekday_word(std::size_t day);

/// 0 for Monday to 6 for Sunday, in the zone of the machine.
std::size_t local_weekday(std::time_t time);

}  // namespace shortfall::app

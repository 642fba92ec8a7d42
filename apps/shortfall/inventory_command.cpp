#include "apps/shortfall/inventory_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <ranges>
#include <span>

#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/options.hpp"
#include "errors/require.hpp"
#include "files/input_file.hpp"
#include "files/same_input.hpp"
#include "formats/inventory_identity.hpp"
#include "shortfall/errors/error.hpp"
#include "shortfall/formats/order_rule.hpp"
#include "shortfall/formats/warning_words.hpp"
#include "shortfall/inventory/fit/records.hpp"
#include "shortfall/inventory/plan/capacity_check.hpp"
#include "text/number.hpp"
#include "text/text.hpp"

namespace shortfall::app {
namespace {

void check_inventory(const InventoryOptions& options) {
  check_stopping(options.tolerance, options.max_iterations);
  require(options.sweep.size() <= 2, "--sweep is given {} times; accepted: at most twice",
          options.sweep.size());
}

void check_policy_out(const InventoryOptions& options, const std::string& policy_out) {
  require(policy_out.empty() || options.sweep.empty(),
          "--policy-out with --sweep; accepted: one of them: a file holds one policy");
}

}  // namespace

void add_inventory_options(const Grammar& grammar, InventoryOptions& options,
                           Randomness randomness) {
  add_input(grammar, "config", options.config,
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
  offer_keys(grammar, "--set");
  offer_keys(grammar, "--sweep");
  add_tolerance(grammar, options.tolerance);
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
  add_output(grammar, "--policy-out", policy_out,
             "Write the orders to this CSV file: [day,]x1,..,order, where x_i units have i "
             "periods left and day is 0 (Monday) to 6 (Sunday); not with --sweep");
  grammar.add_check([&options, &policy_out] { check_policy_out(options, policy_out); });
}

std::string InventoryPoint::name() const {
  std::string text;
  for (const auto& [key, value] : set) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, value);
  }
  return text;
}

namespace {

/// "24", or "24 to 27".
template <class Number>
std::string range_of(const std::vector<InventoryPoint>& points, const Number& number) {
  const auto [least, most] =
      std::ranges::minmax(points | std::views::transform([&](const InventoryPoint& point) {
                            return std::invoke(number, point.configuration.model);
                          }));
  return least == most ? fmt::format("{}", least) : fmt::format("{} to {}", least, most);
}

std::vector<InventoryPoint> read_points(const InventoryOptions& options) {
  io::InventoryToml file(options.config);
  for (const std::string& assignment : options.set) file.set(assignment);
  std::vector<InventoryPoint> points;
  for (const SweepPoint& set : sweep_points(options.sweep, inventory_sweeps)) {
    io::InventoryToml changed = file;
    for (const auto& [key, value] : set) changed.set(fmt::format("{}={}", key, value), "--sweep");
    points.push_back({set, changed.configuration(), changed.placeholder_costs()});
  }
  const std::string capacities = range_of(points, &inventory::Model::capacity);
  const std::string states = range_of(points, &inventory::Model::states);
  for (InventoryPoint& point : points) {
    point.capacities = capacities;
    point.states = states;
  }
  return points;
}

}  // namespace

std::vector<InventoryPoint> inventory_points(const InventoryOptions& options,
                                             const Processes& processes) {
  std::vector<InventoryPoint> points = processes.together([&] { return read_points(options); });
  std::string identity;
  for (const InventoryPoint& point : points) identity += io::identity(point.configuration) + "\n";
  io::check_same(std::as_bytes(std::span(identity)), io::input_name(options.config),
                 processes.communicator());
  return points;
}

template <class Work>
Solution InventorySolver::run(const std::string& name, const Work& work) const {
  try {
    return work(
        SolverOptions{.tolerance = options_.tolerance, .max_iterations = options_.max_iterations},
        Execution{.threads = options_.threads,
                  .monitor = watch_.monitor(name),
                  .processes = &processes_.communicator()});
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", io::input_name(options_.config), error.what()));
  }
}

Solution InventorySolver::solve(const io::InventoryConfiguration& configuration,
                                const std::string& name) {
  const auto solver = as_published() ? inventory::solve_as_published : inventory::solve;
  return run(name, [&](const SolverOptions& options, const Execution& execution) {
    return solver(configuration.model, configuration.criterion, options, execution);
  });
}

std::pair<Solution, inventory::NonPerishable> InventorySolver::solve_with_non_perishable(
    const io::InventoryConfiguration& configuration, const std::string& name) {
  const inventory::Model& model = configuration.model;
  const Criterion& criterion = configuration.criterion;
  inventory::NonPerishable non_perishable;
  Solution solution = run(name, [&](const SolverOptions& options, const Execution& execution) {
    non_perishable = inventory::solve_non_perishable(model, criterion);
    return as_published()
               ? inventory::solve_as_published(model, criterion, options, execution)
               : inventory::solve_from(non_perishable, model, criterion, options, execution);
  });
  return {std::move(solution), std::move(non_perishable)};
}

Solution InventorySolver::evaluate(const io::InventoryConfiguration& configuration,
                                   const Policy& orders, const std::string& name) {
  const auto evaluator = as_published() ? inventory::evaluate_as_published : inventory::evaluate;
  return run("value of " + name, [&](const SolverOptions& options, const Execution& execution) {
    return evaluator(configuration.model, configuration.criterion, orders, options, execution);
  });
}

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
  CLI::Option* orders = add_repeated(
      grammar, option.name, policies,
      option.names +
          ", base-stock:S (order up to S), reorder:s,S (order up to S when s or fewer are left), "
          "fixed:N (always N), or a CSV file [day,]x1,..,order with day 0 to 6; repeat to compare "
          "policies");
  grammar.offer(option.name, words_in(inventory::accepted_rules), Offers::Paths::files);
  grammar.reads(option.name);
  return orders;
}

std::vector<inventory::Rule> parse_rules(const std::vector<std::string>& names,
                                         const std::string& option) {
  std::vector<inventory::Rule> rules;
  for (const std::string& name : names) {
    rules.push_back(naming(option, [&] { return io::parse_order_rule(name); }));
  }
  return rules;
}

inventory::Rule fitting_rule(const inventory::Rule& rule, const inventory::Model& model,
                             const std::string& option) {
  // The messages of a file name the file.
  if (rule.kind == inventory::Rule::Kind::given) return io::fitting_rule(rule, model);
  return naming(option, [&] { return io::fitting_rule(rule, model); });
}

ChosenOrders chosen_orders(const inventory::Rule& rule, const InventoryPoint& point,
                           InventorySolver& solver, int threads) {
  const auto& [model, criterion] = point.configuration;
  const inventory::Rule fitting = solver.processes().together(
      [&, &model = model] { return fitting_rule(rule, model, "--policy"); });
  inventory::RuleOrders found =
      inventory::orders_of(fitting, model, criterion,
                           {.solve =
                                [&, &model = model](const Criterion& other) {
                                  return solver.solve({model, other}, rule.name);
                                }},
                           {.threads = threads, .monitor = solver.watch().monitor(rule.name)});
  solver.watch().check();
  io::check_same(std::as_bytes(std::span(found.orders)), rule.name,
                 solver.processes().communicator());
  return {.orders = std::move(found.orders),
          .outcome = {found.status, found.error_bound},
          .non_perishable = std::move(found.non_perishable)};
}

void add_simulation_size(const Grammar& grammar, SimulationSize& size) {
  add_count(grammar, "--periods", size.periods, inventory::max_periods, "Periods per replication");
  add_count(grammar, "--replications", size.replications, inventory::max_replications,
            "Simulated histories, each starting from an empty stock");
}

void add_columns(const Grammar& grammar, std::vector<io::ColumnHeading>& columns) {
  add_parsed(
      grammar, "--columns",
      [&columns](const std::string& text) { columns = io::parse_headings(text); },
      "Headings of the records in your own words, such as demand=Bedarf,date=Datum");
  grammar.offer("--columns", {});
}

std::vector<std::string> capacity_warnings(const InventoryPoint& point, const Solution& solution) {
  const auto& [model, criterion] = point.configuration;
  if (!is_success(solution.status)) return {};
  const auto warning = inventory::capacity_warning(model, criterion, solution.policy);
  if (!warning) return {};
  return {io::in_words(*warning, io::OptionStyle::command_line)};
}

std::vector<std::int64_t> parse_stock(const std::string& text) {
  std::vector<std::int64_t> stock;
  if (io::trimmed(text).empty()) return stock;
  for (const std::string_view part : io::split(text, ',')) {
    const auto number = io::parse_number(part);
    constexpr double most = 1e9;
    require(number && std::abs(*number) <= most && *number == std::floor(*number) && *number >= 0.0,
            "--stock {}: '{}' is not a number of units; accepted: whole numbers from 0, separated "
            "by commas",
            text, part);
    stock.push_back(static_cast<std::int64_t>(*number));
  }
  return stock;
}

std::string placeholder_text(const std::vector<std::string>& placeholder_costs) {
  return fmt::format(
      "Placeholders, not your own costs: {}. Nothing is compared in money until they are replaced, "
      "and their names deleted from cost.placeholders.",
      fmt::join(placeholder_costs, ", "));
}

std::string weekday_word(std::size_t day) {
  std::string word = std::string(inventory::weekday_name(day)).substr(0, 3);
  word[0] = static_cast<char>(word[0] - 'A' + 'a');
  return word;
}

std::size_t local_weekday(std::time_t time) {
  std::tm local{};
  require(localtime_r(&time, &local) != nullptr, "the clock shows no date; accepted: a weekday");
  constexpr std::size_t days = 7;
  return (static_cast<std::size_t>(local.tm_wday) + days - 1) % days;  // tm_wday is 0 on Sundays
}

}  // namespace shortfall::app

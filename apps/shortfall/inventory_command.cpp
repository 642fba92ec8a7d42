#include "apps/shortfall/inventory_command.hpp"

#include <fmt/format.h>

#include <span>

#include "files/input_file.hpp"
#include "formats/inventory_identity.hpp"
#include "inventory/on_ranks.hpp"
#include "shortfall/error.hpp"

namespace shortfall::app {

std::string InventoryPoint::name() const {
  std::string text;
  for (const auto& [key, value] : set) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, value);
  }
  return text;
}

namespace {

std::vector<InventoryPoint> read_points(const InventoryOptions& options) {
  io::InventoryToml file(options.config);
  for (const std::string& assignment : options.set) file.set(assignment);
  std::vector<InventoryPoint> points;
  for (const SweepPoint& set : sweep_points(options.sweep, inventory_sweeps)) {
    io::InventoryToml changed = file;
    for (const auto& [key, value] : set) changed.set(fmt::format("{}={}", key, value), "--sweep");
    points.push_back({set, changed.configuration()});
  }
  return points;
}

}  // namespace

std::vector<InventoryPoint> inventory_points(const InventoryOptions& options,
                                             const Processes& processes) {
  std::vector<InventoryPoint> points = processes.together([&] { return read_points(options); });
  std::string identity;
  for (const InventoryPoint& point : points) identity += io::identity(point.configuration) + "\n";
  processes.check_same(std::as_bytes(std::span(identity)), io::input_name(options.config));
  return points;
}

SolverOptions InventorySolver::solver_options(const std::string& name) const {
  return {.tolerance = options_.tolerance,
          .max_iterations = options_.max_iterations,
          .threads = options_.threads,
          .monitor = watch_.monitor(name)};
}

template <class Work>
Solution InventorySolver::run(const std::string& name, const Work& work) const {
  try {
    return work(solver_options(name));
  } catch (const InvalidInput& error) {
    throw InvalidInput(fmt::format("{}: {}", io::input_name(options_.config), error.what()));
  }
}

Solution InventorySolver::solve(const io::InventoryConfiguration& configuration,
                                const std::string& name) {
  const auto solver =
      as_published() ? inventory::detail::solve_as_published : inventory::detail::solve;
  return run(name, [&](const SolverOptions& options) {
    return solver(configuration.model, configuration.criterion, options, processes_.communicator());
  });
}

std::pair<Solution, inventory::NonPerishable> InventorySolver::solve_with_non_perishable(
    const io::InventoryConfiguration& configuration, const std::string& name) {
  const inventory::Model& model = configuration.model;
  const Criterion& criterion = configuration.criterion;
  inventory::NonPerishable non_perishable;
  Solution solution = run(name, [&](const SolverOptions& options) {
    non_perishable = inventory::solve_non_perishable(model, criterion);
    detail::Communicator& ranks = processes_.communicator();
    return as_published()
               ? inventory::detail::solve_as_published(model, criterion, options, ranks)
               : inventory::detail::solve_from(non_perishable, model, criterion, options, ranks);
  });
  return {std::move(solution), std::move(non_perishable)};
}

Solution InventorySolver::evaluate(const io::InventoryConfiguration& configuration,
                                   const Policy& orders, const std::string& name) {
  const auto evaluator =
      as_published() ? inventory::detail::evaluate_as_published : inventory::detail::evaluate;
  return run("value of " + name, [&](const SolverOptions& options) {
    return evaluator(configuration.model, configuration.criterion, orders, options,
                     processes_.communicator());
  });
}

}  // namespace shortfall::app

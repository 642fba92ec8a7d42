#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "benchmarks/machine_bound.hpp"
#include "benchmarks/side_by_side.hpp"
#include "inventory/kernel/cycle.hpp"
#include "published/platelets.hpp"
#include "shortfall/dp/solve.hpp"
#include "shortfall/inventory/kernel/baselines.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/inventory/model/explicit_mdp.hpp"

namespace shortfall::benchmarks {
namespace {

using namespace inventory;
using studies::platelets;

void require(const Solution& solution) {
  if (solution.status != Status::converged) throw std::runtime_error(solution.brief_report());
}

/// Both certified to 1e-6; the explicit model lists all outcomes and is solved by dp's policy
/// iteration.
void compare_with_explicit_model(std::size_t shelf_life, std::size_t capacity, const char* word) {
  const Model model = platelets(shelf_life, {.capacity = capacity});
  const Criterion criterion{AnyLoss::parse(word), 0.6};
  const Mdp listed = explicit_mdp(model);
  const auto timings = side_by_side(
      {{"inventory", [&] { require(inventory::solve(model, criterion)); }},
       {"explicit", [&] { require(policy_iteration(listed, criterion)); }},
       {"list and solve", [&] { require(policy_iteration(explicit_mdp(model), criterion)); }}},
      3);
  fmt::print("| {} | {} | {} | {} | 1 | {:.1f} | {:.1f} |\n", shelf_life, capacity, word,
             listed.outcomes().size(), timings[1].ratio, timings[2].ratio);
}

/// One pass of the static policy: outcomes per second, and how much faster it would be at the
/// machine's peak rate of multiply-adds.
void compare_with_machine_peak(std::size_t shelf_life, const char* word) {
  const Model model = platelets(shelf_life);
  const Criterion criterion{AnyLoss::parse(word), 0.6};
  shortfall::detail::Watch unwatched;
  StockBellman bellman(model, criterion, 0, unwatched);
  const NonPerishable non_perishable = solve_non_perishable(model, criterion);
  Cycle cycle(bellman, std::vector<double>(model.states(), 50.0),
              static_policy(model, non_perishable));
  std::uint64_t rows = 0;
  std::uint64_t passes = 0;
  const auto pass = [&] {
    const std::uint64_t before = cycle.rows();
    cycle.sweep_orders({.accuracy = 1e-9, .max_passes = 1});
    rows += cycle.rows() - before;
    ++passes;
  };
  const std::size_t work = 1 << 24;
  const auto timings = side_by_side(
      {{"pass", pass}, {"multiply-adds", [&] { keep(machine_bound().fused_multiply_adds(work)); }}},
      3);
  // Static orders raise the stock to about this total; a row has one outcome per smaller demand.
  const double total = static_cast<double>(non_perishable.shape[0]->order_up_to);
  const double outcomes = static_cast<double>(rows) / static_cast<double>(passes) * total;
  const double flops = 2.0 * static_cast<double>(work) / timings[1].seconds;  // of one core
  const double per_second = outcomes / timings[0].seconds;
  fmt::print("| {} | {} | {:.2g} | {:.2g} | {:.1f} | {:.1f} |\n", shelf_life, word, outcomes,
             per_second, 2.0 * flops / (4.0 * per_second), 8.0 * per_second * 1e-9);
}

/// Passes of given orders with exact deliveries alone, until they are certified to 1e-6. Returns
/// their number.
int evaluate_by_exact_passes(const Model& model, const Criterion& criterion,
                             const NonPerishable& non_perishable) {
  shortfall::detail::Watch unwatched;
  StockBellman bellman(model, criterion, 0, unwatched);
  Cycle cycle(bellman, static_values(model, non_perishable), static_policy(model, non_perishable));
  constexpr double tolerance = 1e-6;
  RootGoal goal{.accuracy = 0.02 * tolerance, .max_passes = 1};
  for (int passes = 1;; ++passes) {
    cycle.sweep_orders(goal);
    const CycleBound bound = cycle.bound();
    if (bound.error <= tolerance) return passes;
    cycle.advance(bound);
    if (bound.change <= 1.5 * tolerance) goal.max_passes = 100;
  }
}

/// The static policy evaluated with coarse passes between the exact ones, and without.
void compare_with_exact_passes(std::size_t shelf_life, std::size_t capacity, const char* word) {
  const Model model = platelets(shelf_life, {.capacity = capacity});
  const Criterion criterion{AnyLoss::parse(word), 0.6};
  const NonPerishable non_perishable = solve_non_perishable(model, criterion);
  const Policy orders = static_policy(model, non_perishable);
  int exact_passes = 0;
  std::size_t iterations = 0;
  const auto timings = side_by_side(
      {{"with coarse passes",
        [&] {
          const Solution solution = evaluate(model, criterion, orders);
          require(solution);
          iterations = static_cast<std::size_t>(solution.iterations);
        }},
       {"exact passes",
        [&] { exact_passes = evaluate_by_exact_passes(model, criterion, non_perishable); }}},
      3);
  fmt::print("| {} | {} | {} | {} | {} | 1 | {:.1f} |\n", shelf_life, capacity, word, iterations,
             exact_passes, timings[1].ratio);
}

/// Absolute times: how long a planner waits on this machine.
void time_once(const char* what, double target, const std::function<Solution()>& run) {
  const auto start = std::chrono::steady_clock::now();
  const Solution solution = run();
  const double seconds =
      std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  require(solution);
  fmt::print("| {} | {:.6f} | {:.1g} | {:.3g} | {} |\n", what, solution.values[0],
             solution.error_bound, seconds, target);
}

void absolute_times() {
  const auto optimum = [](std::size_t shelf_life, const char* word) {
    return [=] { return inventory::solve(platelets(shelf_life), {AnyLoss::parse(word), 0.6}); };
  };
  const auto of_static = [](std::size_t shelf_life, const char* word) {
    return [=] {
      const Model model = platelets(shelf_life);
      const Criterion criterion{AnyLoss::parse(word), 0.6};
      return evaluate(model, criterion,
                      static_policy(model, solve_non_perishable(model, criterion)));
    };
  };
  (void)optimum(3, "mean")();  // starts the threads
  time_once("m = 3, optimum, tau 0.5", 0.005, optimum(3, "expectile:0.5"));
  time_once("m = 3, optimum, tau 0.9", 0.005, optimum(3, "expectile:0.9"));
  time_once("m = 5, optimum, tau 0.5", 0.2, optimum(5, "expectile:0.5"));
  time_once("m = 5, optimum, tau 0.9", 0.5, optimum(5, "expectile:0.9"));
  time_once("m = 5, seven days, gamma 0.95, tau 0.5", 20, [] {
    return inventory::solve(platelets(5, {.days = 7}), {Expectile(0.5), 0.95});
  });
  time_once("m = 5, seven days, gamma 0.95, tau 0.9", 20, [] {
    return inventory::solve(platelets(5, {.days = 7}), {Expectile(0.9), 0.95});
  });
  time_once("m = 8, static policy, tau 0.4", 5, of_static(8, "expectile:0.4"));
  time_once("m = 8, static policy, tau 0.9", 20, of_static(8, "expectile:0.9"));
  time_once("m = 8, optimum, tau 0.5", 60, optimum(8, "expectile:0.5"));
  time_once("m = 8, optimum, tau 0.9", 120, optimum(8, "expectile:0.9"));
}

}  // namespace

void inventory_against_explicit_model() {
  fmt::print(
      "\n## Perishable inventory\n\nOptimum certified to 1e-6: time divided by that of the "
      "inventory "
      "solver\n\n");
  fmt::print(
      "| m | capacity | loss | outcomes | inventory solver | explicit model | "
      "explicit model, listing included |\n");
  fmt::print("|---|---|---|---|---|---|---|\n");
  for (const char* const word : {"mean", "expectile:0.9", "soft-quantile:0.8,2"}) {
    compare_with_explicit_model(3, 20, word);
    compare_with_explicit_model(5, 12, word);
  }
  fmt::print(
      "\n| m | loss | outcomes per pass | outcomes per second | peak / measured | GB/s read |\n");
  fmt::print("|---|---|---|---|---|---|\n");
  for (const std::size_t shelf_life : {std::size_t{5}, std::size_t{8}}) {
    for (const char* const word : {"expectile:0.4", "expectile:0.9"}) {
      compare_with_machine_peak(shelf_life, word);
    }
  }
  fmt::print(
      "\n| m | capacity | loss | exact passes | without coarse ones | time | time without |\n");
  fmt::print("|---|---|---|---|---|---|---|\n");
  for (const std::size_t capacity : {std::size_t{14}, std::size_t{17}, std::size_t{20}}) {
    compare_with_exact_passes(8, capacity, "expectile:0.9");
  }
  fmt::print("\n| problem | value | error bound | seconds | target |\n|---|---|---|---|---|\n");
  absolute_times();
}

}  // namespace shortfall::benchmarks

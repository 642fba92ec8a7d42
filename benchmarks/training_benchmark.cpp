#include <fmt/format.h>

#include <chrono>
#include <string>

#include "benchmarks/side_by_side.hpp"
#include "published/platelets.hpp"
#include "published/tables.hpp"
#include "shortfall/inventory/kernel/solve.hpp"
#include "shortfall/inventory/train/train.hpp"

namespace shortfall::benchmarks {
namespace {

using namespace inventory;
using learn::Algorithm;
using studies::platelets;
using studies::published_costs;
using studies::published_levels;

template <class Work>
double seconds(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

const char* algorithm_name(Algorithm algorithm) {
  return algorithm == Algorithm::td ? "TD" : "Newton";
}

/// Complete training runs, and the exact optimum for comparison.
void training_table() {
  fmt::print(
      "\n| m | tau | method | 20 iterations, s | gap, % | optimum, s |\n"
      "|---|---|---|---|---|---|\n");
  for (const std::size_t shelf_life : {3U, 5U}) {
    for (const double tau : {0.1, 0.5, 0.9}) {
      const Model model = platelets(shelf_life);
      const Criterion criterion{Expectile(tau), 0.6};
      double optimum = 0.0;
      const double optimal_seconds =
          seconds([&] { optimum = inventory::solve(model, criterion).values.front(); });
      for (const Algorithm algorithm : {Algorithm::td, Algorithm::newton}) {
        double gap = 0.0;
        const double taken = seconds([&] {
          Training training(model, criterion, {.algorithm = algorithm});
          for (int k = 0; k < 20; ++k) training.iterate();
          gap = 100.0 * (training.best().value_at_empty / optimum - 1.0);
        });
        fmt::print("| {} | {} | {} | {:.2f} | {:.4f} | {:.3f} |\n", shelf_life, tau,
                   algorithm_name(algorithm), taken, gap, optimal_seconds);
      }
    }
  }
}

/// The largest and the mean gap over the 35 published settings.
void gap_row(std::size_t shelf_life, Algorithm algorithm, std::size_t scenarios,
             std::uint64_t seed) {
  double worst = 0.0;
  double sum = 0.0;
  std::string where;
  for (const double tau : published_levels) {
    for (const Costs& cost : published_costs) {
      const Model model = platelets(shelf_life, {.cost = cost});
      const Criterion criterion{Expectile(tau), 0.6};
      const double optimum = inventory::solve(model, criterion).values.front();
      Training training(
          model, criterion,
          {.algorithm = algorithm, .scenarios = scenarios, .tolerance = 1e-5, .seed = seed});
      for (int k = 0; k < 20; ++k) training.iterate();
      const double gap = 100.0 * (training.best().value_at_empty / optimum - 1.0);
      sum += gap;
      if (gap <= worst) continue;
      worst = gap;
      where = fmt::format("tau {}, costs ({}, 1, 20, {})", tau, cost.order, cost.wastage);
    }
  }
  fmt::print("| {} | {} | {} | {} | {:.4f} | {:.4f} | {} |\n", shelf_life,
             algorithm_name(algorithm),
             scenarios == 0 ? "exact" : fmt::format("sampled:{}", scenarios), seed, worst,
             sum / 35.0, where);
}

}  // namespace

void training_against_the_optimum() {
  fmt::print(
      "\n## Training\n\nTwenty iterations with exact improvement, and the exact solver on the same "
      "problem\n");
  training_table();
}

void training_gaps() {
  fmt::print(
      "\n## Gaps of trained orders to the optimum\n\n"
      "| m | method | improvement | seed | largest gap, % | mean gap, % | where |\n"
      "|---|---|---|---|---|---|---|\n");
  for (const std::size_t shelf_life : {3U, 5U}) {
    for (const std::size_t scenarios : {0U, 50U}) {
      if (shelf_life == 3 && scenarios > 0) continue;
      for (const Algorithm algorithm : {Algorithm::td, Algorithm::newton}) {
        for (const std::uint64_t seed : {1U, 2U, 3U})
          gap_row(shelf_life, algorithm, scenarios, seed);
      }
    }
  }
}

}  // namespace shortfall::benchmarks

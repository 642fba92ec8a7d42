#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <string>

#include "platelets.hpp"
#include "shortfall/inventory/baselines.hpp"
#include "shortfall/inventory/solve.hpp"
#include "shortfall/inventory/train.hpp"
#include "side_by_side.hpp"

namespace shortfall::benchmarks {
namespace {

using namespace inventory;
using learn::Algorithm;

template <class Work>
double seconds(const Work& work) {
  const auto begin = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

const char* name_of(Algorithm algorithm) {
  return algorithm == Algorithm::td ? "TD" : "Newton";
}

/// Wang and Delage, table on the runtime of policy evaluation: seconds, and percent off at the
/// empty stock, by level 0.4, 0.5, 0.6.
struct PublishedRow {
  std::size_t shelf_life;
  std::array<const char*, 3> exact;
  std::array<const char*, 3> td;
  std::array<const char*, 3> newton;
};
constexpr std::array<PublishedRow, 3> published{{
    {3,
     {"5.74 s", "5.40 s", "7.48 s"},
     {"171 s, 7.99", "161 s, 6.70", "172 s, 8.00"},
     {"198 s, 2.07", "183 s, 0.45", "199 s, 2.74"}},
    {5,
     {"376 s", "397 s", "674 s"},
     {"171 s, 0.87", "161 s, 0.70", "173 s, 0.37"},
     {"201 s, 2.48", "186 s, 0.62", "203 s, 7.70"}},
    {8,
     {"> 14 h", "> 17 h", "> 35 h"},
     {"178 s, 0.76", "166 s, 1.20", "176 s, 1.27"},
     {"216 s, 3.12", "197 s, 0.40", "213 s, 7.44"}},
}};

/// One evaluation of the static policy: 60 000 samples on one core, the mean of 20 seeds; exactly
/// to the published tolerance of 0.1, certified, on all cores.
void evaluation_table() {
  fmt::print(
      "| m | tau | method | seconds | off, % | spread, % | published |\n"
      "|---|---|---|---|---|---|---|\n");
  constexpr std::array levels{0.4, 0.5, 0.6};
  constexpr int seeds = 20;
  for (const PublishedRow& row : published) {
    const Model model = platelets(row.shelf_life);
    for (std::size_t i = 0; i < levels.size(); ++i) {
      const Criterion criterion{Expectile(levels[i]), 0.6};
      const Policy orders = static_policy(model, solve_non_perishable(model, criterion));
      const double exact_seconds =
          seconds([&] { (void)evaluate(model, criterion, orders, {.tolerance = 0.1}); });
      const double exact = evaluate(model, criterion, orders, {.tolerance = 1e-4}).values.front();
      fmt::print("| {} | {} | exact | {:.3f} |  |  | {} |\n", row.shelf_life, levels[i],
                 exact_seconds, row.exact[i]);
      for (const Algorithm algorithm : {Algorithm::td, Algorithm::newton}) {
        double sum = 0.0;
        double squares = 0.0;
        const double taken = seconds([&] {
          for (int seed = 1; seed <= seeds; ++seed) {
            const double off = estimate(model, criterion, orders,
                                        {.algorithm = algorithm,
                                         .seed = static_cast<std::uint64_t>(seed),
                                         .threads = 1})
                                   .value_at_empty -
                               exact;
            sum += off;
            squares += off * off;
          }
        });
        const double mean = sum / seeds;
        fmt::print("| {} | {} | {} | {:.3f} | {:.2f} | {:.2f} | {} |\n", row.shelf_life, levels[i],
                   name_of(algorithm), taken / seeds, 100.0 * std::abs(mean) / exact,
                   100.0 * std::sqrt(std::max(squares / seeds - mean * mean, 0.0)) / exact,
                   (algorithm == Algorithm::td ? row.td : row.newton)[i]);
      }
    }
  }
}

/// Whole trainings beside the exact optimum.
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
                   name_of(algorithm), taken, gap, optimal_seconds);
      }
    }
  }
}

constexpr std::array<Costs, 7> published_costs{{{10, 1, 20, 5},
                                                {20, 1, 20, 5},
                                                {50, 1, 20, 5},
                                                {80, 1, 20, 5},
                                                {10, 1, 20, 20},
                                                {10, 1, 20, 50},
                                                {10, 1, 20, 80}}};

/// The largest and the mean gap over the 35 published settings.
void gap_row(std::size_t shelf_life, Algorithm algorithm, std::size_t scenarios,
             std::uint64_t seed) {
  double worst = 0.0;
  double sum = 0.0;
  std::string where;
  for (const double tau : {0.1, 0.4, 0.5, 0.6, 0.9}) {
    for (const Costs& cost : published_costs) {
      const Model model = platelets(shelf_life, 20, 1, cost);
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
  fmt::print("| {} | {} | {} | {} | {:.4f} | {:.4f} | {} |\n", shelf_life, name_of(algorithm),
             scenarios == 0 ? "exact" : fmt::format("sampled:{}", scenarios), seed, worst,
             sum / 35.0, where);
}

}  // namespace

void training_against_the_paper() {
  fmt::print("\n## Training\n\n");
  evaluation_table();
  training_table();
}

void training_gaps() {
  fmt::print(
      "\n## Gaps of trained orders\n\n"
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

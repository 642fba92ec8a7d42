#include "benchmarks/side_by_side.hpp"

#include <pcg_random.hpp>

#include <algorithm>
#include <chrono>
#include <vector>

namespace shortfall::benchmarks {

Mdp sparse_model() {
  constexpr StateIndex states = 10000;
  constexpr ActionIndex actions = 6;
  constexpr int successors = 100;
  pcg64 random(1);
  const auto unit = [&] { return static_cast<double>(random() >> 11) * 0x1.0p-53; };
  TransitionTable table;
  std::vector<double> weight(successors);
  for (StateIndex x = 0; x < states; ++x) {
    for (ActionIndex a = 0; a < actions; ++a) {
      double sum = 0.0;
      for (double& w : weight) sum += w = unit();
      for (const double w : weight) {
        table.add(x, a, static_cast<StateIndex>(random() % states), Probability(w / sum),
                  10.0 * unit());
      }
    }
  }
  return Mdp::build(std::move(table));
}

namespace {

volatile double sink;

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double seconds_of_one_run(const Contestant& contestant) {
  if (contestant.seconds) return contestant.seconds();
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  for (int runs = 1;; ++runs) {
    contestant.run();
    const double elapsed = std::chrono::duration<double>(Clock::now() - start).count();
    if (elapsed >= 0.02) return elapsed / runs;
  }
}

}  // namespace

void keep(double value) {
  sink = value;
}

std::vector<Timing> side_by_side(const std::vector<Contestant>& contestants, int rounds) {
  for (const auto& contestant : contestants) {
    if (contestant.run) contestant.run();
  }
  std::vector<std::vector<double>> seconds(contestants.size());
  std::vector<std::vector<double>> ratios(contestants.size());
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      seconds[i].push_back(seconds_of_one_run(contestants[i]));
      ratios[i].push_back(seconds[i].back() / seconds[0].back());
    }
  }
  std::vector<Timing> timings;
  for (std::size_t i = 0; i < contestants.size(); ++i) {
    timings.push_back({median(seconds[i]), median(ratios[i])});
  }
  return timings;
}

}  // namespace shortfall::benchmarks

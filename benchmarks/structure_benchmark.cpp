#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "random_structure.hpp"
#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/solve.hpp"
#include "side_by_side.hpp"

namespace shortfall::benchmarks {
namespace {

constexpr int problems = 200;
constexpr Method methods[] = {Method::policy_iteration, Method::modified_policy_iteration,
                              Method::value_iteration};

/// The fastest of two runs, or of one where that takes long.
template <class Run>
double seconds_of(Run&& run) {
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 3 && (round == 0 || least < 0.5); ++round) {
    const auto begin = std::chrono::steady_clock::now();
    run();
    least = std::min(
        least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return least;
}

struct Outcome {
  RandomProblem problem;
  double ratio;
  std::string best;
};

}  // namespace

void structures_against_the_best_method() {
  fmt::print(
      "\nRandom structures of 200 to 20000 states, certified to 1e-6 of the highest cost: time of\n"
      "the default method divided by that of the fastest of all three, by structure\n\n"
      "| structure | problems | median | worst | the worst: states, outcomes, loss, gamma, best "
      "|\n|---|---|---|---|---|\n");
  std::map<std::string, std::vector<Outcome>> by_structure;
  for (int i = 0; i < problems; ++i) {
    Outcome outcome{random_problem(static_cast<std::uint64_t>(i)), 1.0, "the default"};
    const auto& [name, model, criterion] = outcome.problem;
    std::array<double, std::size(methods)> seconds;
    for (std::size_t m = 0; m < std::size(methods); ++m) {
      seconds[m] = seconds_of([&] {
        const Solution solution = solve(model, criterion, methods[m], {.tolerance = 1e-5});
        keep(solution.values.front());
      });
    }
    const auto best = std::min_element(seconds.begin(), seconds.end());
    outcome.ratio = seconds[0] / *best;
    if (best != seconds.begin()) {
      outcome.best = to_string(methods[static_cast<std::size_t>(best - seconds.begin())]);
    }
    by_structure[name].push_back(std::move(outcome));
  }
  for (auto& [name, outcomes] : by_structure) {
    std::sort(outcomes.begin(), outcomes.end(),
              [](const Outcome& a, const Outcome& b) { return a.ratio < b.ratio; });
    const Outcome& worst = outcomes.back();
    const auto& [same_name, model, criterion] = worst.problem;
    fmt::print("| {} | {} | {:.2f} | {:.2f} | {}, {}, {}, {}, {} |\n", name, outcomes.size(),
               outcomes[outcomes.size() / 2].ratio, worst.ratio, model.states(),
               model.outcomes().size(), criterion.loss.word(), criterion.gamma, worst.best);
  }
}

}  // namespace shortfall::benchmarks

// How the attitude to risk changes when to cut a forest that may burn down.
#include <fmt/format.h>

#include <vector>

#include "shortfall/dp/solve.hpp"
#include "shortfall/mdp/library.hpp"

int main() {
  using namespace shortfall;
  const std::vector<double> levels = {0.1, 0.3, 0.5, 0.7, 0.9};
  const Mdp model = library::forest({.states = 8});
  const double gamma = 0.95;

  fmt::print(
      "A forest grows by one age class per year, or burns down with probability 0.1.\n"
      "Each year you wait, or cut and start again. Waiting at the oldest age earns 4, and cutting\n"
      "earns 1 or 2.\n"
      "The table shows the best action and the exact value for each age, at gamma = {}, for five\n"
      "expectile levels (0.1 is risk-seeking, 0.5 is the expected value, 0.9 is risk-averse).\n\n"
      "{:>5}",
      gamma, "age");
  std::vector<Solution> solutions;
  for (const double tau : levels) {
    solutions.push_back(policy_iteration(model, {Expectile(tau), gamma}, {.tolerance = 1e-9}));
    fmt::print("{:>16}", fmt::format("expectile {}", tau));
  }
  for (std::size_t age = 0; age < model.states(); ++age) {
    fmt::print("\n{:>5}", age);
    for (const Solution& solution : solutions) {
      fmt::print("{:>8}{:>8.3f}", solution.policy[age] == 0 ? "wait" : "cut",
                 -solution.values[age]);
    }
  }
  fmt::print("\n\n");
  for (std::size_t i = 0; i < levels.size(); ++i) {
    fmt::print("expectile {}: {}\n", levels[i], solutions[i].brief_report());
    if (solutions[i].status != Status::converged) return 1;
  }
}

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>
#include <map>
#include <string>
#include <vector>

#include "benchmarks/random_structure.hpp"
#include "benchmarks/side_by_side.hpp"
#include "shortfall/dp/solve.hpp"

namespace shortfall::benchmarks {
namespace {

constexpr int problems = 200;
constexpr double time_limit = 5.0;  ///< seconds; a slower alternative counts as taking this long
constexpr Method alternatives[] = {Method::modified_policy_iteration, Method::value_iteration};

/// The fastest of three runs, or the time of one run if that takes at least half a second. Infinite
/// if the method exceeds `limit`, where it is stopped.
double seconds_of(const RandomProblem& problem, Method method, double limit) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 3 && (round == 0 || least < 0.5); ++round) {
    const Clock::time_point begin = Clock::now();
    SolverOptions options{.tolerance = 1e-5};
    options.monitor = [&](const Progress&) {
      return since(begin) > limit ? Request::stop : Request::proceed;
    };
    const Solution solution = solve(problem.model, problem.criterion, method, options);
    keep(solution.values.front());
    if (solution.status == Status::stopped) return least;
    least = std::min(least, since(begin));
  }
  return least;
}

struct Outcome {
  std::string structure;
  double ratio;  ///< the default's time divided by the fastest method's
  std::string problem;
};

Outcome compare(const RandomProblem& problem) {
  std::string fastest;
  double least = time_limit;
  for (const Method method : alternatives) {
    const double seconds = seconds_of(problem, method, std::min(time_limit, 1.2 * least));
    if (seconds < least) fastest = to_string(method);
    least = std::min(least, seconds);
  }
  const double ours = seconds_of(problem, Method::policy_iteration, 20.0 * time_limit);
  if (ours < least) fastest = "the default";
  return {problem.structure, ours / std::min(ours, least),
          fmt::format("{}, {}, {}, {}, {}", problem.model.states(), problem.model.outcomes().size(),
                      problem.criterion.loss.to_string(), problem.criterion.gamma, fastest)};
}

}  // namespace

void structures_against_the_best_method() {
  std::map<std::string, std::vector<Outcome>> by_structure;
  for (int i = 0; i < problems; ++i) {
    const Outcome outcome = compare(random_problem(static_cast<std::uint64_t>(i)));
    fmt::print(stderr, "{}/{} {}: {:.2f}\n", i + 1, problems, outcome.structure, outcome.ratio);
    by_structure[outcome.structure].push_back(outcome);
  }
  fmt::print(
      "\nRandom structures of 200 to 20000 states, certified to 1e-6 of the highest cost: time of\n"
      "policy iteration (the default) divided by the time of the fastest of three methods: policy\n"
      "iteration, modified policy iteration and value iteration\n\n"
      "| structure | problems | median | worst | the worst case: states, outcomes, loss, gamma, "
      "fastest method |\n|---|---|---|---|---|\n");
  for (auto& [name, outcomes] : by_structure) {
    std::ranges::sort(outcomes, {}, &Outcome::ratio);
    fmt::print("| {} | {} | {:.2f} | {:.2f} | {} |\n", name, outcomes.size(),
               outcomes[outcomes.size() / 2].ratio, outcomes.back().ratio, outcomes.back().problem);
  }
}

}  // namespace shortfall::benchmarks

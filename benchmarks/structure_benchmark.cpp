#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <limits>
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
constexpr double patience = 5.0;  ///< seconds; a method that takes longer counts as taking that
constexpr Method others[] = {Method::modified_policy_iteration, Method::value_iteration};

class TooSlow : public std::exception {};

/// The fastest of three runs, or of one where that takes long; infinite where it takes longer than
/// `most`, which then is not worth waiting for.
double seconds_of(const RandomProblem& problem, Method method, double most) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  double least = std::numeric_limits<double>::infinity();
  for (int round = 0; round < 3 && (round == 0 || least < 0.5); ++round) {
    const Clock::time_point begin = Clock::now();
    SolverOptions options{.tolerance = 1e-5};
    options.on_sweep = [&] {
      if (since(begin) > most) throw TooSlow();
    };
    try {
      keep(solve(problem.model, problem.criterion, method, options).values.front());
      least = std::min(least, since(begin));
    } catch (const TooSlow&) {
      return least;
    }
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
    const std::string name = outcome.problem.structure;
    double best = std::numeric_limits<double>::infinity();
    for (const Method method : others) {
      const double seconds = seconds_of(outcome.problem, method, std::min(patience, 1.2 * best));
      if (seconds < best) outcome.best = to_string(method);
      best = std::min(best, seconds);
    }
    best = std::min(best, patience);
    const double ours = seconds_of(outcome.problem, Method::policy_iteration, 20.0 * patience);
    if (ours < best) outcome.best = "the default";
    outcome.ratio = ours / std::min(ours, best);
    fmt::print(stderr, "{}/{} {} {:.3g} {:.3g}\n", i + 1, problems, name, ours, best);
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

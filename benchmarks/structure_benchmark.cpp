#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/random_structure.hpp"
#include "benchmarks/side_by_side.hpp"
#include "benchmarks/timed_solve.hpp"

namespace shortfall::benchmarks {
namespace {

constexpr double structure_tolerance = 1e-5;
constexpr double time_limit = 60.0;  ///< seconds, for the default

/// What the default may take beyond a factor: the price of finding out what kind of model it has.
constexpr double allowance = 1e-3;

struct StructureOutcome {
  std::string structure;
  double over_best;   ///< the default's time divided by the fastest method's
  double over_value;  ///< its time less the allowance, divided by value iteration's; at most 1
                      ///< where value iteration was stopped because it took longer
  std::string problem;
};

StructureOutcome compare_on(const RandomProblem& problem) {
  const auto seconds_of = [&](Method method, double limit) {
    return timed_solve(problem.model, problem.criterion, method, {structure_tolerance, limit})
        .seconds;
  };
  const double ours = seconds_of(default_method, time_limit);
  double least = ours;
  double value_iteration = ours;
  std::string_view fastest = "the default";
  for (const auto& [name, method] : method_names) {
    if (method == default_method || method == Method::gauss_seidel) continue;
    const double seconds = seconds_of(method, clearly_slower(ours));
    if (method == Method::value_iteration && seconds < infinity) value_iteration = seconds;
    if (seconds < least) fastest = name;
    least = std::min(least, seconds);
  }
  return {problem.structure, ours / least, (ours - allowance) / value_iteration,
          fmt::format("{}, {}, {}, {}, {:.2f}, {}", problem.model.states(),
                      problem.model.outcomes().size(), problem.criterion.loss.to_string(),
                      problem.criterion.gamma, 1e3 * ours, fastest)};
}

int problem_count(const std::vector<std::string>& selection) {
  constexpr std::string_view key = "problems=";
  int count = 2000;
  for (const std::string& word : selection) {
    if (!word.starts_with(key)) throw InvalidInput(word + "; accepted: problems=");
    count = std::stoi(word.substr(key.size()));
  }
  return count;
}

void print_structure(const std::string& name, std::vector<StructureOutcome> outcomes) {
  const auto over_value = std::ranges::max(outcomes, {}, &StructureOutcome::over_value).over_value;
  std::ranges::sort(outcomes, {}, &StructureOutcome::over_best);
  fmt::print("| {} | {} | {:.2f} | {:.2f} | {:.2f} | {:.2f} | {} |\n", name, outcomes.size(),
             outcomes[outcomes.size() / 2].over_best, outcomes[outcomes.size() * 9 / 10].over_best,
             outcomes.back().over_best, std::max(0.0, over_value), outcomes.back().problem);
}

}  // namespace

void structures_against_the_best_method(const std::vector<std::string>& selection) {
  std::map<std::string, std::vector<StructureOutcome>> by_structure;
  std::vector<StructureOutcome> all;
  const int problems = problem_count(selection);
  for (int i = 0; i < problems; ++i) {
    all.push_back(compare_on(random_problem(static_cast<std::uint64_t>(i))));
    by_structure[all.back().structure].push_back(all.back());
    fmt::print(stderr, "{}/{} {}: {:.2f}\n", i + 1, problems, all.back().structure,
               all.back().over_best);
  }
  fmt::print(
      "\n{} random problems of up to 20000 states, certified to 1e-6 of the highest cost: time of "
      "the\ndefault divided by the time of our fastest method; and its time less {} ms divided by "
      "the time\nof value iteration\n\n"
      "| structure | problems | median | nine of ten below | worst | worst over value iteration | "
      "the worst case: states, outcomes, loss, gamma, ms, fastest method |\n"
      "|---|---|---|---|---|---|---|\n",
      problems, 1e3 * allowance);
  for (const auto& [name, outcomes] : by_structure) print_structure(name, outcomes);
  print_structure("all", all);
  const auto& worst = std::ranges::max(all, {}, &StructureOutcome::over_value);
  fmt::print("\nThe worst case against value iteration: {}, {}\n", worst.structure, worst.problem);
}

}  // namespace shortfall::benchmarks

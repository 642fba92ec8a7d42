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

/// What the default may take beyond a factor: the price of finding out what kind of model it has.
constexpr double allowance = 1e-3;

struct StructureOutcome {
  std::string structure;
  double over_best;   ///< the default's time divided by the fastest method's
  double over_value;  ///< its time less the allowance, divided by value iteration's; at most 1
                      ///< where value iteration was stopped because it took longer
  bool solved;        ///< by any method within the limit
  std::string problem;
};

struct StructureOptions {
  int first = 0;
  int problems = 2000;
  double limit = 2.0;  ///< seconds, for each method
};

/// A default that is stopped at the limit counts with the limit, which is less than it would take.
StructureOutcome compare_on(const RandomProblem& problem, double limit) {
  const auto seconds_of = [&](Method method, double most) {
    return timed_solve(problem.model, problem.criterion, method, {structure_tolerance, most})
        .seconds;
  };
  const double until_solved = seconds_of(default_method, limit);
  const double ours = std::min(until_solved, limit);
  bool solved = until_solved < infinity;
  double least = ours;
  double value_iteration = ours;
  std::string_view fastest = "the default";
  for (const auto& [name, method] : method_names) {
    if (method == default_method || method == Method::gauss_seidel) continue;
    const double seconds = seconds_of(method, std::min(clearly_slower(ours), limit));
    solved = solved || seconds < infinity;
    if (method == Method::value_iteration && seconds < infinity) value_iteration = seconds;
    if (seconds < least) fastest = name;
    least = std::min(least, seconds);
  }
  return {problem.structure, ours / least, (ours - allowance) / value_iteration, solved,
          fmt::format("{}, {}, {}, {}, {:.2f}, {}", problem.model.states(),
                      problem.model.outcomes().size(), problem.criterion.loss.to_string(),
                      problem.criterion.gamma, 1e3 * ours, fastest)};
}

StructureOptions options_of(const std::vector<std::string>& selection) {
  StructureOptions options;
  for (const std::string& word : selection) {
    const std::size_t end = word.find('=') + 1;
    const std::string key = word.substr(0, end);
    if (key == "first=") {
      options.first = std::stoi(word.substr(end));
    } else if (key == "problems=") {
      options.problems = std::stoi(word.substr(end));
    } else if (key == "limit=") {
      options.limit = std::stod(word.substr(end));
    } else {
      throw InvalidInput(word + "; accepted: first=, problems=, limit=");
    }
  }
  return options;
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
  const auto [first, problems, limit] = options_of(selection);
  for (int i = first; i < first + problems; ++i) {
    all.push_back(compare_on(random_problem(static_cast<std::uint64_t>(i)), limit));
    by_structure[all.back().structure].push_back(all.back());
    fmt::print(stderr, "{}: {}, {}: {:.2f}\n", i, all.back().structure, all.back().problem,
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
  fmt::print("\n{} problems were solved by no method within {} s.\n",
             std::ranges::count(all, false, &StructureOutcome::solved), limit);
  fmt::print("\nThe worst case against value iteration: {}, {}\n", worst.structure, worst.problem);
}

}  // namespace shortfall::benchmarks

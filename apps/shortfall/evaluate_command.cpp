#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "apps/shortfall/chosen_policy.hpp"
#include "apps/shortfall/command.hpp"
#include "apps/shortfall/solver_command.hpp"
#include "apps/shortfall/stopwatch.hpp"
#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/finite_horizon.hpp"

namespace shortfall::app {
namespace {

ExitCode run_infinite(const EvaluateOptions& options, const io::LoadedModel& loaded,
                      const ChosenPolicy& policy) {
  const Stopwatch stopwatch;
  Solution solution;
  {
    Progress progress;
    const auto evaluate = options.method == "newton" ? evaluate_by_newton : evaluate_by_sweeps;
    solution = evaluate(policy.chain, options.criterion(), solver_options(options, progress));
  }
  return print_report({loaded, options, options.method, solution.status, solution.values,
                       policy.ids, solution.error_bound, solution.iterations, &solution.trace,
                       stopwatch.seconds()});
}

ExitCode run_finite(const EvaluateOptions& options, const io::LoadedModel& loaded,
                    const ChosenPolicy& policy) {
  const Stopwatch stopwatch;
  FiniteHorizonSolution solution;
  {
    Progress progress;
    solution = evaluate_finite_horizon(policy.chain, options.criterion(),
                                       finite_horizon_options(options, KeepStages::last, progress));
  }
  return print_report({loaded, options, fmt::format("{} stages", options.horizon),
                       status_for(solution, options), solution.values.back(), policy.ids,
                       solution.error_bound, options.horizon, nullptr, stopwatch.seconds()});
}

}  // namespace

ExitCode run(const EvaluateOptions& options) {
  const io::LoadedModel loaded = io::read_model_csv(options.model, {.threads = options.threads});
  const ChosenPolicy policy = read_policy(options.policy, loaded.model);
  return options.horizon > 0 ? run_finite(options, loaded, policy)
                             : run_infinite(options, loaded, policy);
}

}  // namespace shortfall::app

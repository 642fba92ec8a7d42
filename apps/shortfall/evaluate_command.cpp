#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "command.hpp"
#include "policy_argument.hpp"
#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/finite_horizon.hpp"
#include "solver_command.hpp"
#include "stopwatch.hpp"

namespace shortfall::app {
namespace {

struct EvaluateOptions : SolverCommandOptions {
  std::string method = "newton";
  PolicyArgument policy;
};

ExitCode run_infinite(const EvaluateOptions& options, const io::LoadedModel& loaded,
                      const PolicyOnModel& policy) {
  const Stopwatch stopwatch;
  Solution solution;
  {
    Progress progress;
    const auto evaluate = options.method == "newton" ? evaluate_by_newton : evaluate_by_sweeps;
    solution = evaluate(policy.chain, options.criterion(), options.solver(progress));
  }
  return print_report({loaded, options, options.method, solution.status, solution.values,
                       policy.ids, solution.error_bound, solution.iterations, &solution.trace,
                       stopwatch.seconds()});
}

ExitCode run_finite(const EvaluateOptions& options, const io::LoadedModel& loaded,
                    const PolicyOnModel& policy) {
  const Stopwatch stopwatch;
  const FiniteHorizonSolution solution = evaluate_finite_horizon(
      policy.chain, options.criterion(),
      {.stages = options.horizon, .keep = KeepStages::last, .threads = options.threads});
  return print_report({loaded, options, fmt::format("{} stages", options.horizon), solution.status,
                       solution.values.back(), policy.ids, solution.error_bound, options.horizon,
                       nullptr, stopwatch.seconds()});
}

}  // namespace

void add_evaluate_command(CLI::App& app, Run& run) {
  auto options = std::make_shared<EvaluateOptions>();
  CLI::App* command = app.add_subcommand("evaluate", "What a given policy is worth, exactly");
  add_solver_options(*command, *options);
  add_policy_options(*command, options->policy)->required();
  command->add_option("--method", options->method, "How to get there")
      ->check(CLI::IsMember({"newton", "sweeps"}))
      ->capture_default_str();
  command->footer(
      "Example: shortfall evaluate examples/forest.csv --policy policy.csv\n"
      "         --loss expectile:0.9 --gamma 0.9");
  command->callback([options, &run] {
    run = [options] {
      (void)options->criterion();
      const io::LoadedModel loaded =
          io::read_model_csv(options->model, {.threads = options->threads});
      const PolicyOnModel policy = read_policy(options->policy, loaded.model);
      return options->horizon > 0 ? run_finite(*options, loaded, policy)
                                  : run_infinite(*options, loaded, policy);
    };
  });
}

}  // namespace shortfall::app

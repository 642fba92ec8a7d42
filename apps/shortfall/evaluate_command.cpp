#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/shortfall/chosen_policy.hpp"
#include "apps/shortfall/command.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/option_checks.hpp"
#include "apps/shortfall/solver_command.hpp"
#include "apps/shortfall/stopwatch.hpp"
#include "require.hpp"
#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/finite_horizon.hpp"

namespace shortfall::app {
namespace {

struct EvaluateOptions : SolverArguments {
  Evaluator method = Evaluator::newton;
  PolicyOptions policy;
};

ExitCode run_infinite(const EvaluateOptions& options, const io::LoadedModel& loaded,
                      const ChosenPolicy& policy) {
  const Stopwatch stopwatch;
  Solution solution;
  {
    CommandMonitor watch;
    solution = evaluate(policy.chain, options.criterion(), options.method,
                        solver_options(options, watch));
  }
  return print_report({loaded, options, std::string(name_of(options.method, evaluator_names)),
                       solution.status, solution.values, policy.ids, solution.error_bound,
                       solution.iterations, &solution.trace, stopwatch.seconds()});
}

ExitCode run_finite(const EvaluateOptions& options, const io::LoadedModel& loaded,
                    const ChosenPolicy& policy) {
  const Stopwatch stopwatch;
  FiniteHorizonSolution solution;
  {
    CommandMonitor watch;
    solution = evaluate_finite_horizon(policy.chain, options.criterion(),
                                       finite_horizon_options(options, KeepStages::last, watch));
  }
  return print_report({loaded, options, fmt::format("{} stages", options.horizon),
                       status_for(solution, options), solution.values.back(), policy.ids,
                       solution.error_bound, options.horizon, nullptr, stopwatch.seconds()});
}

ExitCode run_evaluate(const EvaluateOptions& options) {
  const io::LoadedModel loaded = io::read_model_csv(options.model, {.threads = options.threads});
  const ChosenPolicy policy = read_policy(options.policy, loaded.model);
  return options.horizon > 0 ? run_finite(options, loaded, policy)
                             : run_infinite(options, loaded, policy);
}

}  // namespace

void add_evaluate(const CommandGroup& group) {
  const auto options = std::make_shared<EvaluateOptions>();
  const Grammar grammar = group.add("evaluate", "Compute the exact value of a given policy",
                                    [options] { return run_evaluate(*options); });
  add_solver_arguments(grammar, *options);
  add_policy(grammar, options->policy)->required();
  add_choice(grammar, "--method", options->method, evaluator_names, "Solution method")
      ->excludes("--horizon");
  grammar.add_check([options] {
    require(options->model != "-" || options->policy.file != "-",
            "the model and --policy are both -; accepted: standard input for one of them");
  });
  grammar->footer(
      "Example: shortfall evaluate examples/forest.csv --policy policy.csv\n"
      "         --loss expectile:0.9 --gamma 0.9");
}

}  // namespace shortfall::app

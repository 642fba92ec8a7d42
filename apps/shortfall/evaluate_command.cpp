#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/shortfall/chosen_policy.hpp"
#include "apps/shortfall/command.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/option_checks.hpp"
#include "apps/shortfall/solver_command.hpp"
#include "dp/solve_parts.hpp"
#include "require.hpp"

namespace shortfall::app {
namespace {

struct EvaluateOptions : SolverArguments {
  Evaluator method = Evaluator::newton;
  PolicyOptions policy;
};

ExitCode run_evaluate(const EvaluateOptions& options, const Processes& processes) {
  const DividedModel model = read_divided_model(options.model, options.threads, processes);
  const ChosenPolicy policy = read_policy(options.policy, model, processes);
  const ModelNames names = read_names(options.names, model, processes);
  const auto evaluate_one = [&](const Criterion& criterion, const SolverOptions& solver) {
    const detail::ChainPart chain = model.under(policy.chain);
    if (options.horizon == 0) return detail::evaluate(chain, criterion, options.method, solver);
    const auto stages = finite_horizon_options(options, KeepStages::last, solver);
    return first_stage(detail::evaluate_finite_horizon(chain, criterion, stages), options);
  };
  const std::vector<SolvedPoint> solved = solve_points(options, model, processes, evaluate_one);
  const nlohmann::json ids = ids_on_first(policy, model);
  if (!processes.is_to_report()) return success;
  return print_solved(
      {model, options, names, name_of(options.method, evaluator_names), processes, &ids}, solved);
}

}  // namespace

void add_evaluate(const CommandGroup& group) {
  const auto options = std::make_shared<EvaluateOptions>();
  const Grammar grammar = group.add(
      "evaluate", "Compute the exact value of a given policy",
      [options, &processes = group.processes()] { return run_evaluate(*options, processes); });
  add_solver_arguments(grammar, *options);
  add_policy(grammar, options->policy)->required();
  add_choice(grammar, "--method", options->method, evaluator_names, "Solution method")
      ->excludes("--horizon");
  grammar.add_check([options] {
    require(options->model != "-" || options->policy.name != "-",
            "the model and --policy are both -; accepted: standard input for one of them");
  });
  grammar->footer(
      "Example: shortfall evaluate examples/forest.csv --policy policy.csv\n"
      "         --loss expectile:0.9 --gamma 0.9\n"
      "         shortfall evaluate examples/forest.csv --policy uniform\n"
      "         --sweep loss=mean,expectile:0.9 --sweep gamma=0.9,0.99");
}

}  // namespace shortfall::app

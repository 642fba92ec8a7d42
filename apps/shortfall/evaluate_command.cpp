#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "apps/shortfall/chosen_policy.hpp"
#include "apps/shortfall/command.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/option_checks.hpp"
#include "apps/shortfall/solver_command.hpp"
#include "files/input_file.hpp"
#include "require.hpp"
#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/finite_horizon.hpp"

namespace shortfall::app {
namespace {

struct EvaluateOptions : SolverArguments {
  Evaluator method = Evaluator::newton;
  PolicyOptions policy;
};

Solution value_of(const Chain& chain, const Criterion& criterion, const EvaluateOptions& options,
                  const SolverOptions& solver) {
  if (options.horizon == 0) return evaluate(chain, criterion, options.method, solver);
  const auto stages = finite_horizon_options(options, KeepStages::last, solver);
  return first_stage(evaluate_finite_horizon(chain, criterion, stages), options);
}

ExitCode run_evaluate(const EvaluateOptions& options, const Processes& processes) {
  const io::LoadedModel loaded = read_model(options, processes);
  const ChosenPolicy policy =
      processes.together([&] { return read_policy(options.policy, loaded.model); });
  const std::string ids = policy.ids.dump();
  processes.check_same(std::as_bytes(std::span(ids)), io::input_name(options.policy.file));
  const ModelNames names =
      processes.together([&] { return ModelNames(options.names, loaded.model); });
  const auto evaluate_one = [&](const Criterion& criterion, const SolverOptions& solver) {
    return std::pair(value_of(policy.chain, criterion, options, solver), policy.ids);
  };
  const std::vector<SolvedPoint> solved = solve_points(options, processes, evaluate_one);
  if (!processes.is_to_report()) return success;
  return print_solved({loaded, options, names, name_of(options.method, evaluator_names), processes},
                      solved);
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
    require(options->model != "-" || options->policy.file != "-",
            "the model and --policy are both -; accepted: standard input for one of them");
  });
  grammar->footer(
      "Example: shortfall evaluate examples/forest.csv --policy policy.csv\n"
      "         --loss expectile:0.9 --gamma 0.9\n"
      "         shortfall evaluate examples/forest.csv --policy policy.csv\n"
      "         --sweep loss=mean,expectile:0.9 --sweep gamma=0.9,0.99");
}

}  // namespace shortfall::app

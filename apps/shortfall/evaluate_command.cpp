#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "apps/shortfall/chosen_policy.hpp"
#include "apps/shortfall/command.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/option_checks.hpp"
#include "apps/shortfall/solver_command.hpp"
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

ExitCode run_evaluate(const EvaluateOptions& options) {
  const io::LoadedModel loaded = io::read_model(options.model, {.threads = options.threads});
  const ChosenPolicy policy = read_policy(options.policy, loaded.model);
  const ModelNames names(options.names, loaded.model);
  const auto evaluate_one = [&](const Criterion& criterion, const SolverOptions& solver) {
    return std::pair(value_of(policy.chain, criterion, options, solver), policy.ids);
  };
  return print_solved({loaded, options, names, name_of(options.method, evaluator_names)},
                      solve_points(options, evaluate_one));
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
      "         --loss expectile:0.9 --gamma 0.9\n"
      "         shortfall evaluate examples/forest.csv --policy policy.csv\n"
      "         --sweep loss=mean,expectile:0.9 --sweep gamma=0.9,0.99");
}

}  // namespace shortfall::app

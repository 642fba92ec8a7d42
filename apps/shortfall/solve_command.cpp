#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/option_checks.hpp"
#include "apps/shortfall/solver_command.hpp"
#include "apps/shortfall/stopwatch.hpp"
#include "files/atomic_file.hpp"
#include "shortfall/dp/finite_horizon.hpp"
#include "shortfall/dp/solve.hpp"
#include "shortfall/formats/policy_csv.hpp"

namespace shortfall::app {
namespace {

struct SolveOptions : SolverArguments {
  Method method = Method::adaptive;
  std::string policy_out;
};

/// With a horizon: the solution with all stages to go, and the policies of all stages.
struct SolvedModel {
  Solution solution;
  std::vector<Policy> stages = {};
};

SolvedModel solve_model(const Mdp& model, const SolveOptions& options) {
  CommandMonitor watch;
  if (options.horizon == 0) {
    return {solve(model, options.criterion(), options.method, solver_options(options, watch))};
  }
  const KeepStages keep = options.policy_out.empty() ? KeepStages::last : KeepStages::all;
  FiniteHorizonSolution stages = solve_finite_horizon(model, options.criterion(),
                                                      finite_horizon_options(options, keep, watch));
  return {first_stage(stages, options), std::move(stages.policies)};
}

ExitCode run_solve(const SolveOptions& options) {
  // Fail before the work, not after it, if the file cannot be written.
  if (!options.policy_out.empty()) io::AtomicFile{options.policy_out};
  const io::LoadedModel loaded = io::read_model_csv(options.model, {.threads = options.threads});
  const Stopwatch stopwatch;
  const SolvedModel solved = solve_model(loaded.model, options);
  const SolverResult result{.loaded = loaded,
                            .options = options,
                            .method = to_string(options.method),
                            .solution = solved.solution,
                            .policy = policy_ids(loaded.model, solved.solution.policy),
                            .seconds = stopwatch.seconds()};
  const auto write_policy = [&] {
    if (options.policy_out.empty() || result.solution.status == Status::overflow) return;
    if (options.horizon > 0) {
      io::write_staged_policy_csv(options.policy_out, loaded.model, solved.stages);
    } else {
      io::write_policy_csv(options.policy_out, loaded.model, solved.solution.policy);
    }
  };
  ExitCode code = success;
  write_then_print(write_policy, [&] { code = print_solver_result(result); });
  return code;
}

}  // namespace

void add_solve(const CommandGroup& group) {
  const auto options = std::make_shared<SolveOptions>();
  const Grammar grammar = group.add("solve", "Compute the optimal policy of a model exactly",
                                    [options] { return run_solve(*options); });
  add_solver_arguments(grammar, *options);
  add_choice(grammar, "--method", options->method, method_names, "Solution method")
      ->excludes("--horizon");
  grammar
      ->add_option("--policy-out", options->policy_out,
                   "Write the policy to this CSV file: the best one found if not converged; with "
                   "--horizon, by number of remaining stages")
      ->check(not_empty());
  grammar.add_check([options] { check_is_file("--policy-out", options->policy_out); });
  grammar->footer(
      "Example: shortfall solve examples/forest.csv --loss expectile:0.9 --gamma 0.9\n"
      "         --policy-out policy.csv");
}

}  // namespace shortfall::app

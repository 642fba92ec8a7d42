#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/option_checks.hpp"
#include "apps/shortfall/solver_command.hpp"
#include "dp/solve_parts.hpp"
#include "files/atomic_file.hpp"
#include "formats/distributed_policy.hpp"
#include "require.hpp"

namespace shortfall::app {
namespace {

struct SolveOptions : SolverArguments {
  Method method = Method::adaptive;
  std::string policy_out;
};

ExitCode run_solve(const SolveOptions& options, const Processes& processes) {
  // Fail before the work, not after it, if the file cannot be written.
  processes.on_first([&] {
    if (!options.policy_out.empty()) io::AtomicFile{options.policy_out};
  });
  const DividedModel model = read_divided_model(options.model, options.threads, processes);
  const ModelNames names = read_names(options.names, model, processes);
  std::vector<Policy> stages;  // with a horizon, if they are to be written
  const auto solve_one = [&](const Criterion& criterion, const SolverOptions& solver) {
    if (options.horizon == 0) return detail::solve(model.part(), criterion, options.method, solver);
    const KeepStages keep = options.policy_out.empty() ? KeepStages::last : KeepStages::all;
    FiniteHorizonSolution found = detail::solve_finite_horizon(
        model.part(), criterion, finite_horizon_options(options, keep, solver));
    Solution solution = first_stage(found, options);
    stages = std::move(found.policies);
    for (Policy& policy : stages) policy = model.whole(policy);
    return solution;
  };
  const std::vector<SolvedPoint> solved = solve_points(options, model, processes, solve_one);
  if (!processes.is_to_report()) return success;
  const auto write_policy = [&] {
    const Solution& solution = solved.front().solution;
    if (options.policy_out.empty() || solution.status == Status::overflow) return;
    const io::IdBases bases{model.ids().state_base, model.ids().action_base};
    if (options.horizon > 0) {
      io::write_staged_policy_rows(options.policy_out, bases, stages);
    } else {
      io::write_policy_rows(options.policy_out, bases, solution.policy);
    }
  };
  ExitCode code = success;
  write_then_print(write_policy, [&] {
    code = print_solved({model, options, names, to_string(options.method), processes}, solved);
  });
  return code;
}

}  // namespace

void add_solve(const CommandGroup& group) {
  const auto options = std::make_shared<SolveOptions>();
  const Grammar grammar = group.add(
      "solve", "Compute the optimal policy of a model exactly",
      [options, &processes = group.processes()] { return run_solve(*options, processes); });
  add_solver_arguments(grammar, *options);
  add_choice(grammar, "--method", options->method, method_names, "Solution method")
      ->excludes("--horizon");
  grammar
      ->add_option("--policy-out", options->policy_out,
                   "Write the policy to this CSV file: the best one found if not converged; with "
                   "--horizon, by number of remaining stages; not with --sweep")
      ->check(not_empty());
  grammar.add_check([options] {
    check_is_file("--policy-out", options->policy_out);
    require(options->policy_out.empty() || !options->is_sweep(),
            "--policy-out with --sweep; accepted: one of them: a file holds one policy");
  });
  grammar->footer(
      "Example: shortfall solve examples/forest.csv --loss expectile:0.9 --gamma 0.9\n"
      "         --policy-out policy.csv\n"
      "         shortfall solve examples/forest.csv --sweep tau=0.1:0.9:0.2 --gamma 0.9");
}

}  // namespace shortfall::app

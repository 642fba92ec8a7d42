#include <fmt/format.h>

#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>

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
  Method method = Method::policy_iteration;
  std::string policy_out;
};

/// Writes the policy file, if requested and if there is a policy, and prints the report.
ExitCode write_and_print(const SolveOptions& options, const Report& report,
                         const std::function<void(const std::string&)>& write_policy) {
  ExitCode code = success;
  write_then_print(
      [&] {
        if (options.policy_out.empty() || report.status == Status::overflow) return;
        write_policy(options.policy_out);
      },
      [&] { code = print_report(report); });
  return code;
}

ExitCode run_infinite(const SolveOptions& options, const io::LoadedModel& loaded) {
  const Stopwatch stopwatch;
  Solution solution;
  {
    CommandMonitor watch;
    solution =
        solve(loaded.model, options.criterion(), options.method, solver_options(options, watch));
  }
  const Report report{loaded,
                      options,
                      std::string(to_string(options.method)),
                      solution.status,
                      solution.values,
                      policy_ids(loaded.model, solution.policy),
                      solution.error_bound,
                      solution.iterations,
                      &solution.trace,
                      stopwatch.seconds()};
  return write_and_print(options, report, [&](const std::string& path) {
    io::write_policy_csv(path, loaded.model, solution.policy);
  });
}

ExitCode run_finite(const SolveOptions& options, const io::LoadedModel& loaded) {
  const Stopwatch stopwatch;
  const KeepStages keep = options.policy_out.empty() ? KeepStages::last : KeepStages::all;
  FiniteHorizonSolution solution;
  {
    CommandMonitor watch;
    const FiniteHorizonOptions stages = finite_horizon_options(options, keep, watch);
    solution = solve_finite_horizon(loaded.model, options.criterion(), stages);
  }
  const Report report{loaded,
                      options,
                      fmt::format("{} stages", options.horizon),
                      status_for(solution, options),
                      solution.values.back(),
                      policy_ids(loaded.model, solution.policies.back()),
                      solution.error_bound,
                      options.horizon,
                      nullptr,
                      stopwatch.seconds()};
  return write_and_print(options, report, [&](const std::string& path) {
    io::write_staged_policy_csv(path, loaded.model, solution.policies);
  });
}

ExitCode run_solve(const SolveOptions& options) {
  // Fail before the work, not after it, if the file cannot be written.
  if (!options.policy_out.empty()) io::AtomicFile{options.policy_out};
  const io::LoadedModel loaded = io::read_model_csv(options.model, {.threads = options.threads});
  return options.horizon > 0 ? run_finite(options, loaded) : run_infinite(options, loaded);
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

#include <fmt/format.h>

#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "apps/shortfall/command.hpp"
#include "apps/shortfall/solver_command.hpp"
#include "apps/shortfall/stopwatch.hpp"
#include "files/atomic_file.hpp"
#include "shortfall/dp/finite_horizon.hpp"
#include "shortfall/dp/solve.hpp"
#include "shortfall/formats/policy_csv.hpp"

namespace shortfall::app {
namespace {

const std::map<std::string, Method, std::less<>> methods = {
    {"policy-iteration", Method::policy_iteration},
    {"modified-policy-iteration", Method::modified_policy_iteration},
    {"value-iteration", Method::value_iteration},
    {"gauss-seidel", Method::gauss_seidel}};

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
    Progress progress;
    solution = solve(loaded.model, options.criterion(), methods.at(options.method),
                     solver_options(options, progress));
  }
  const Report report{loaded,
                      options,
                      options.method,
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
    Progress progress;
    const FiniteHorizonOptions stages = finite_horizon_options(options, keep, progress);
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

}  // namespace

ExitCode run(const SolveOptions& options) {
  // Fail before the work, not after it, if the file cannot be written.
  if (!options.policy_out.empty()) io::AtomicFile{options.policy_out};
  const io::LoadedModel loaded = io::read_model_csv(options.model, {.threads = options.threads});
  return options.horizon > 0 ? run_finite(options, loaded) : run_infinite(options, loaded);
}

}  // namespace shortfall::app

// `solve` and `evaluate`, and the criteria of their `--sweep`.
#include "apps/shortfall/solver_command.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "apps/shortfall/command_monitor.hpp"
#include "apps/shortfall/grammar.hpp"
#include "errors/require.hpp"
#include "formats/distributed_policy.hpp"
#include "shortfall/dp/evaluate.hpp"
#include "shortfall/dp/finite_horizon.hpp"
#include "shortfall/dp/solve.hpp"
#include "shortfall/errors/error.hpp"
#include "text/number.hpp"

namespace shortfall::app {
namespace {

std::string without_quotes(const std::string& value) {
  const bool is_quoted = value.size() >= 2 && value.front() == value.back() &&
                         (value.front() == '"' || value.front() == '\'');
  return is_quoted ? value.substr(1, value.size() - 2) : value;
}

void set_in(Criterion& criterion, const std::string& key, const std::string& value) {
  const auto number = io::parse_finite_number(value);
  if (key == "loss") {
    criterion.loss = AnyLoss::parse(value);
  } else if (key == "tau") {
    criterion.loss = AnyLoss::parse("expectile:" + value);
  } else if (key == "gamma" && number) {
    criterion.gamma = *number;
  } else if (key == "gamma") {
    throw InvalidInput(fmt::format("'{}' is not a number; accepted: a discount factor", value));
  } else {
    throw InvalidInput(fmt::format("there is no key '{}'; accepted: loss, tau, gamma, as in {}",
                                   key, solver_sweeps.example));
  }
}

std::string point_text(const SweepPoint& point) {
  std::string text;
  for (const auto& [key, value] : point) {
    text += fmt::format("{}{}={}", text.empty() ? "" : " ", key, value);
  }
  return text;
}

/// Losses may be spelled in several ways, as expectile:0.5 and expectile:0.50.
void check_different_points(const std::vector<CriterionPoint>& points) {
  std::map<std::pair<std::string, double>, const SweepPoint*> seen;
  for (const auto& [set, criterion] : points) {
    const auto [same, is_new] =
        seen.try_emplace({criterion.loss.to_string(), criterion.gamma}, &set);
    if (is_new) continue;
    throw InvalidInput(fmt::format("--sweep: {} and {} are the same; accepted: each value once",
                                   point_text(*same->second), point_text(set)));
  }
}

}  // namespace

std::vector<CriterionPoint> criterion_points(const Criterion& given,
                                             const std::vector<std::string>& sweeps) {
  std::vector<CriterionPoint> points;
  for (SweepPoint& set : sweep_points(sweeps, solver_sweeps)) {
    CriterionPoint point{.set = {}, .criterion = given};
    for (const auto& [key, value] : set) {
      const std::string plain = without_quotes(value);
      try {
        set_in(point.criterion, key, plain);
      } catch (const InvalidInput& error) {
        throw InvalidInput(fmt::format("--sweep {}={}: {}", key, value, error.what()));
      }
      point.set.emplace_back(key, plain);
    }
    points.push_back(std::move(point));
  }
  check_different_points(points);
  return points;
}

std::optional<std::string> swept_key(const std::vector<std::string>& sweeps,
                                     std::initializer_list<std::string_view> keys) {
  for (const std::string& text : sweeps) {
    std::string key = parse_sweep(text, solver_sweeps).key;
    if (std::ranges::count(keys, key) > 0) return key;
  }
  return std::nullopt;
}

namespace {

void check_gamma(const CriterionPoint& point, bool is_finite) {
  const double gamma = point.criterion.gamma;
  const bool is_swept = std::ranges::count(point.set, "gamma", &SweepPoint::value_type::first) > 0;
  require_gamma(gamma > 0.0 && (gamma < 1.0 || (is_finite && gamma == 1.0)), gamma,
                is_finite ? "a number above 0, at most 1"
                          : "a number strictly between 0 and 1 (1 with --horizon), or --average",
                is_swept ? "--sweep gamma" : "--gamma");
}

/// Each of loss and criterion is given once: by an option, or by the sweep of a key.
void check_given(bool is_given, const std::optional<std::string>& key, const char* option,
                 const char* or_else = "") {
  require(!is_given || !key, "--{} and --sweep {}; accepted: one of them", option,
          key.value_or(""));
  require(is_given || key, "--{0} is required; accepted: --{0} or --sweep {0}=VALUE,..{1}", option,
          or_else);
}

void add_solver_arguments(const Grammar& grammar, SolverArguments& options) {
  add_input(grammar, "model", options.model,
            "CSV with columns idstatefrom,idaction,idstateto,probability and cost or "
            "reward; ids start at 0 or 1; or binary, as convert writes it; -: CSV on "
            "standard input")
      ->required();
  CLI::Option* loss = add_parsed(
      grammar, "--loss",
      [&options](const std::string& text) { options.loss = AnyLoss::parse(text); },
      "Loss function, such as expectile:0.9");
  offer_losses(grammar);
  CLI::Option* gamma =
      grammar->add_option("--gamma", options.gamma, "Discount factor in (0, 1); 1 needs --horizon")
          ->check(not_empty());
  CLI::Option* average = grammar->add_flag(
      "--average", options.average,
      "Instead of --gamma: the long-run average cost per period, the same from every start");
  add_repeated(grammar, "--sweep", options.sweep,
               "Solve for several criteria: loss=L1,L2,.. or tau=0.1:0.9:0.1 (expectiles), "
               "gamma=G1,G2,..; twice for all combinations");
  grammar.offer("--sweep", {"loss=", "tau=", "gamma="});
  add_tolerance(grammar, options.tolerance);
  CLI::Option* horizon =
      grammar->add_option("--horizon", options.horizon, "Number of stages; default: infinite")
          ->check(CLI::Range(1, 100000000).description(""))
          ->excludes(average);
  add_choice(grammar, "--discount", options.discount, discount_names,
             "Where gamma stands in a stage: inside the risk, as in the Bellman equation of an "
             "infinite horizon, or outside it, as in the total risk of T stages of the paper; the "
             "same for mean and expectiles")
      ->needs(horizon);
  grammar->add_option("--max-iterations", options.max_iterations, "Stop after this many iterations")
      ->capture_default_str()
      ->excludes(horizon);
  grammar->add_flag("--trace", options.trace, "Add the error bound of every iteration to the JSON")
      ->excludes(horizon);
  add_general_options(grammar, options, Randomness::none);
  add_name_files(grammar, options.names);
  grammar.add_check([&options, loss, gamma] {
    check_given(loss->count() > 0, swept_key(options.sweep, {"loss", "tau"}), "loss");
    const std::optional<std::string> swept_gamma = swept_key(options.sweep, {"gamma"});
    if (options.average) {
      require(gamma->count() == 0 && !swept_gamma, "--average and --{}gamma; accepted: one of them",
              swept_gamma ? "sweep " : "");
      options.gamma = 1.0;
    } else {
      check_given(gamma->count() > 0, swept_gamma, "gamma", ", or --average");
    }
    options.points = criterion_points({options.loss, options.gamma}, options.sweep);
    for (const CriterionPoint& point : options.points) {
      if (!options.average) check_gamma(point, options.horizon > 0);
    }
    check_stopping(options.tolerance, options.max_iterations);
  });
}

/// Solves point after point, each from the values of the one before. `solve` gets the criterion,
/// the options and the execution, and returns the solution of own states.
template <class SolveOne>
std::vector<SolvedPoint> solve_points(const SolverArguments& options, const CommandModel& model,
                                      const Processes& processes, const SolveOne& solve) {
  CommandMonitor watch(processes);
  std::vector<SolvedPoint> solved;
  Solution own;
  for (const CriterionPoint& point : options.points) {
    std::string name;
    for (const auto& [key, value] : point.set) {
      name += fmt::format("{}{}={}", name.empty() ? "" : " ", key, value);
    }
    SolverOptions solver{.tolerance = options.tolerance, .max_iterations = options.max_iterations};
    const Execution execution{
        .threads = options.threads, .monitor = watch.monitor(name), .division = model.division()};
    // Any start leads to the same certified bound; the neighbour's values are near.
    if (!solved.empty() && own.status != Status::overflow) solver.start = std::move(own.values);
    const Stopwatch stopwatch;
    own = solve(point.criterion, solver, execution);
    solved.push_back({model.whole(own), stopwatch.seconds()});
    if (options.is_sweep()) watch.check();
  }
  return solved;
}

/// The solution with all stages to go. Converged only if the error bound, which is all rounding
/// here, is within the tolerance. Throws Stopped.
Solution first_stage(const FiniteHorizonSolution& stages, const SolverArguments& options) {
  if (stages.status == Status::stopped) throw Stopped();  // values of fewer stages are no answer
  double largest = 0.0;
  for (const double value : stages.values.back()) largest = std::max(largest, std::abs(value));
  const bool too_rough =
      stages.status == Status::converged && !options.tolerance.is_met(stages.error_bound, largest);
  return {.status = too_rough ? Status::precision_limit : stages.status,
          .values = stages.values.back(),
          .policy = stages.policies.empty() ? Policy() : stages.policies.back(),
          .error_bound = stages.error_bound,
          .iterations = options.horizon,
          .trace = {}};
}

struct SolveOptions : SolverArguments {
  Method method = Method::adaptive;
  std::string policy_out;
};

ExitCode run_solve(const SolveOptions& options, const Processes& processes) {
  const CommandModel model = read_command_model(options.model, options.threads, processes);
  const ModelNames names = read_names(options.names, model, processes);
  std::vector<Policy> stages;  // with a horizon, if they are to be written
  const auto solve_one = [&](const Criterion& criterion, const SolverOptions& solver,
                             const Execution& execution) {
    const Mdp& rows = model.rows();
    if (options.horizon == 0) return solve(rows, criterion, options.method, solver, execution);
    const KeepStages keep = options.policy_out.empty() ? KeepStages::last : KeepStages::all;
    FiniteHorizonSolution found = solve_finite_horizon(
        rows, criterion, {.stages = options.horizon, .keep = keep, .discount = options.discount},
        execution);
    Solution solution = first_stage(found, options);
    stages = std::move(found.policies);
    for (Policy& policy : stages) policy = model.whole(std::move(policy));
    return solution;
  };
  const std::vector<SolvedPoint> solved = solve_points(options, model, processes, solve_one);
  if (!processes.is_to_report()) return success;
  const auto write_policy = [&] {
    const Solution& solution = solved.front().solution;
    if (options.policy_out.empty() || !is_usable(solution.status, solution.error_bound)) return;
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

struct EvaluateOptions : SolverArguments {
  Evaluator method = Evaluator::newton;
  PolicyOptions policy;
};

ExitCode run_evaluate(const EvaluateOptions& options, const Processes& processes) {
  const CommandModel model = read_command_model(options.model, options.threads, processes);
  const ChosenPolicy policy = read_policy(options.policy, model);
  const ModelNames names = read_names(options.names, model, processes);
  const auto evaluate_one = [&](const Criterion& criterion, const SolverOptions& solver,
                                const Execution& execution) {
    const Chain& chain = policy.chain;
    if (options.horizon == 0) return evaluate(chain, criterion, options.method, solver, execution);
    const FiniteHorizonOptions stages{
        .stages = options.horizon, .keep = KeepStages::last, .discount = options.discount};
    return first_stage(evaluate_finite_horizon(chain, criterion, stages, execution), options);
  };
  const std::vector<SolvedPoint> solved = solve_points(options, model, processes, evaluate_one);
  const EvaluatedPolicy evaluated{actions_on_first(policy, model),
                                  options.json ? ids_on_first(policy, model) : nlohmann::json()};
  if (!processes.is_to_report()) return success;
  return print_solved(
      {model, options, names, name_of(options.method, evaluator_names), processes, &evaluated},
      solved);
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
  add_output(grammar, "--policy-out", options->policy_out,
             "Write the policy to this CSV file: the best one found if not converged; with "
             "--horizon, by number of remaining stages; not with --sweep");
  grammar.add_check([options] {
    require(options->policy_out.empty() || !options->is_sweep(),
            "--policy-out with --sweep; accepted: one of them: a file holds one policy");
  });
  grammar->footer(
      "Example: shortfall solve examples/forest.csv --loss expectile:0.9 --gamma 0.9\n"
      "         --policy-out policy.csv\n"
      "         shortfall solve examples/forest.csv --sweep tau=0.1:0.9:0.2 --gamma 0.9\n"
      "         shortfall solve examples/forest.csv --loss expectile:0.9 --average");
}

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

#include "apps/shortfall/solver_arguments.hpp"

#include "apps/shortfall/grammar.hpp"
#include "apps/shortfall/option_checks.hpp"

namespace shortfall::app {
namespace {

void check_criterion(const SolverArguments& options) {
  const bool finite = options.horizon > 0;
  require_gamma(options.gamma > 0.0 && (options.gamma < 1.0 || (finite && options.gamma == 1.0)),
                options.gamma,
                finite ? "a number above 0, at most 1"
                       : "a number strictly between 0 and 1 (1 with --horizon)");
  check_stopping(options.tolerance, options.max_iterations);
}

}  // namespace

void add_solver_arguments(const Grammar& grammar, SolverArguments& options) {
  grammar
      ->add_option("model", options.model,
                   "CSV with columns idstatefrom,idaction,idstateto,probability and cost or "
                   "reward; ids start at 0 or 1; -: standard input")
      ->required();
  add_loss(grammar, options.loss);
  grammar->add_option("--gamma", options.gamma, "Discount factor in (0, 1); 1 needs --horizon")
      ->required()
      ->check(not_empty());
  grammar
      ->add_option("--tolerance", options.tolerance, "Largest certified error allowed in any state")
      ->capture_default_str();
  CLI::Option* horizon =
      grammar->add_option("--horizon", options.horizon, "Number of stages; default: infinite")
          ->check(CLI::Range(1, 100000000).description(""));
  grammar->add_option("--max-iterations", options.max_iterations, "Stop after this many iterations")
      ->capture_default_str()
      ->excludes(horizon);
  grammar->add_flag("--trace", options.trace, "Add the error bound of every iteration to the JSON")
      ->excludes(horizon);
  add_general_options(grammar, options, Randomness::none);
  grammar.add_check([&options] { check_criterion(options); });
}

}  // namespace shortfall::app

#pragma once

#include <functional>
#include <string>
#include <vector>

/// A benchmark here is a ratio: we and the alternative in one run, in turns, so that what else the
/// machine is doing hits both. Bare times are not published.
namespace shortfall::benchmarks {

struct Contestant {
  std::string name;
  std::function<void()> run;
  /// For one in another process: takes its turn there, and says how long one run took.
  std::function<double()> seconds = {};
};

struct Timing {
  double seconds;  ///< median time of one run
  double ratio;    ///< median, over the rounds, of its time to that of the first contestant
};

/// Runs all contestants in turns; each turn repeats one until it has taken at least 20 ms.
std::vector<Timing> side_by_side(const std::vector<Contestant>& contestants, int rounds = 9);

/// Keeps the compiler from dropping a computation.
void keep(double value);

/// The parts of the suite, in the order they are reported.
void risk_against_bisection();
void sweep_against_bandwidth();
void solvers_and_loading();
void structures_against_the_best_method();
void learners_against_bounds();
void learn_command_against_parsing();
void python_against_cpp();
void inventory_against_its_twin();
void training_against_the_paper();
void training_gaps();

}  // namespace shortfall::benchmarks

#pragma once

#include <functional>
#include <string>
#include <vector>

#include "shortfall/mdp/mdp.hpp"

/// Benchmarks report ratios of times measured in the same run. The contestants take turns, so other
/// load on the machine affects all of them.
namespace shortfall::benchmarks {

/// A random model: 10 000 states, 6 actions, 100 successors each drawn with replacement,
/// probabilities uniform and normalised, costs uniform on [0, 10) for each outcome.
Mdp sparse_model();

struct Contestant {
  std::string name;
  std::function<void()> run;
  /// For a contestant in another process: runs it there and returns the seconds per run.
  std::function<double()> seconds = {};
};

struct Timing {
  double seconds;  ///< median time of one run
  double ratio;    ///< median over the rounds of its time divided by the first contestant's
};

/// Runs all contestants in turns. Each turn repeats one contestant for at least 20 ms.
std::vector<Timing> side_by_side(const std::vector<Contestant>& contestants, int rounds = 9);

/// Prevents the compiler from removing a computation.
void keep(double value);

/// The parts of the suite, in the order they are reported.
void risk_against_bisection();
void sweep_against_bandwidth();
void solvers_against_each_other();
/// `selection` may have problems=N.
void structures_against_the_best_method(const std::vector<std::string>& selection);
void learners_against_bounds();
void averagers_against_td();
void learn_command_against_parsing();
void python_against_cpp();
void inventory_against_explicit_model();
void training_against_the_optimum();
void training_gaps();
/// `selection` may have model=NAME, size=NAME, gamma=G, limit=SECONDS; empty: everything.
void solvers_against_peers(const std::vector<std::string>& selection);

}  // namespace shortfall::benchmarks

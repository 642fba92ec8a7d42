#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <span>
#include <string_view>

#include "benchmarks/side_by_side.hpp"

namespace {

struct Part {
  std::string_view name;
  void (*run)();
};

constexpr Part parts[] = {{"risk", shortfall::benchmarks::risk_against_bisection},
                          {"sweep", shortfall::benchmarks::sweep_against_bandwidth},
                          {"solve", shortfall::benchmarks::solvers_and_loading},
                          {"structures", shortfall::benchmarks::structures_against_the_best_method},
                          {"learners", shortfall::benchmarks::learners_against_bounds},
                          {"learn", shortfall::benchmarks::learn_command_against_parsing},
                          {"python", shortfall::benchmarks::python_against_cpp},
                          {"inventory", shortfall::benchmarks::inventory_against_explicit_model},
                          {"training", shortfall::benchmarks::training_against_the_optimum},
                          {"gaps", shortfall::benchmarks::training_gaps}};

/// Runs the part in its own process, so that it starts with fresh memory.
bool run_in_child(const Part& part) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      part.run();
      std::fflush(stdout);
      _exit(0);
    } catch (const std::exception& error) {
      fmt::print(stderr, "benchmarks: {}: {}\n", part.name, error.what());
      _exit(1);
    }
  }
  int status = 1;
  return child > 0 && waitpid(child, &status, 0) == child && status == 0;
}

}  // namespace

/// benchmarks [PART...]: runs the named parts, or all of them.
int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const std::span<char*> names(argv + 1, argv + argc);
  for (const std::string_view name : names) {
    if (std::ranges::find(parts, name, &Part::name) == std::end(parts)) {
      fmt::print(stderr,
                 "benchmarks: unknown part {}; accepted: risk, sweep, solve, structures, "
                 "learners, learn, python, inventory, training, gaps\n",
                 name);
      return 2;
    }
  }
  bool all_ran = true;
  for (const Part& part : parts) {
    if (names.empty() || std::ranges::find(names, part.name) != names.end()) {
      all_ran = run_in_child(part) && all_ran;
    }
  }
  return all_ran ? 0 : 1;
}

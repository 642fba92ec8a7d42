#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/side_by_side.hpp"

namespace {

using namespace shortfall::benchmarks;
using Words = std::vector<std::string>;

struct Part {
  std::string_view name;
  void (*run)(const Words& selection);
  bool takes_hours = false;  ///< runs only if it is named
};

template <void (*run)()>
void all_of(const Words&) {
  run();
}

constexpr Part parts[] = {{"risk", all_of<risk_against_bisection>},
                          {"sweep", all_of<sweep_against_bandwidth>},
                          {"solve", all_of<solvers_against_each_other>},
                          {"structures", structures_against_the_best_method},
                          {"learners", all_of<learners_against_bounds>},
                          {"learn", all_of<learn_command_against_parsing>},
                          {"python", all_of<python_against_cpp>},
                          {"inventory", all_of<inventory_against_explicit_model>},
                          {"training", all_of<training_against_the_optimum>},
                          {"gaps", all_of<training_gaps>},
                          {"peers", solvers_against_peers, true}};

/// Runs the part in its own process, so that it starts with fresh memory.
bool run_in_child(const Part& part, const Words& selection) {
  const pid_t child = fork();
  if (child == 0) {
    try {
      part.run(selection);
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

/// benchmarks [PART...] [KEY=VALUE...]: runs the named parts, or all but the peers. Words with "="
/// select what `structures` and `peers` measure.
int main(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  Words names(argv + 1, argv + argc);
  const auto selects = [](const std::string& word) { return word.find('=') != std::string::npos; };
  Words selection;
  std::ranges::copy_if(names, std::back_inserter(selection), selects);
  std::erase_if(names, selects);
  for (const std::string& name : names) {
    if (std::ranges::find(parts, name, &Part::name) == std::end(parts)) {
      fmt::print(stderr,
                 "benchmarks: unknown part {}; accepted: risk, sweep, solve, structures, "
                 "learners, learn, python, inventory, training, gaps, peers\n",
                 name);
      return 2;
    }
  }
  bool all_ran = true;
  for (const Part& part : parts) {
    const bool named = std::ranges::find(names, part.name) != names.end();
    if (named || (names.empty() && !part.takes_hours)) {
      all_ran = run_in_child(part, selection) && all_ran;
    }
  }
  return all_ran ? 0 : 1;
}

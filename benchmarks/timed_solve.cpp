#include "benchmarks/timed_solve.hpp"

#include <algorithm>
#include <chrono>

namespace shortfall::benchmarks {

TimedSolution timed_solve(const Mdp& model, const Criterion& criterion, Method method,
                          const TimedSolveOptions& options) {
  using Clock = std::chrono::steady_clock;
  const auto since = [](Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
  };
  TimedSolution timed{infinity, {}};
  for (int round = 0; round < options.rounds && (round == 0 || timed.seconds < 0.5); ++round) {
    const Clock::time_point begin = Clock::now();
    const Monitor monitor = [&](const Progress&) {
      return since(begin) > options.limit ? Request::stop : Request::proceed;
    };
    timed.solution =
        solve(model, criterion, method, {.tolerance = options.tolerance}, {.monitor = monitor});
    if (timed.solution.status == Status::stopped) break;
    timed.seconds = std::min(timed.seconds, since(begin));
  }
  return timed;
}

}  // namespace shortfall::benchmarks

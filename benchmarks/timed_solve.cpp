#include "benchmarks/timed_solve.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>

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

namespace {

using Extended = std::vector<long double>;
constexpr int checker_sweeps = 200;

long double expectation(const Mdp& model, std::size_t row, long double gamma, const Extended& v) {
  const Outcomes& outcomes = model.outcomes();
  long double sum = 0.0L;
  for (std::size_t i = outcomes.row_begin[row]; i < outcomes.row_begin[row + 1]; ++i)
    sum += outcomes.probability[i] * (outcomes.cost[i] + gamma * v[outcomes.next[i]]);
  return sum;
}

Extended bellman(const Mdp& model, long double gamma, const Extended& v) {
  Extended tv(v.size(), 0.0L);
  for (std::size_t x = 0; x < v.size(); ++x) {
    const std::size_t begin = model.state_begin()[x];
    const std::size_t end = model.state_begin()[x + 1];
    for (std::size_t row = begin; row < end; ++row) {
      const long double q = expectation(model, row, gamma, v);
      if (row == begin || q < tv[x]) tv[x] = q;
    }
  }
  return tv;
}

/// NaN where either is.
template <class V, class W>
long double distance_of(const V& v, const W& w) {
  long double largest = 0.0L;
  for (std::size_t x = 0; x < v.size(); ++x) {
    const long double distance = std::abs(static_cast<long double>(v[x]) - w[x]);
    if (!(distance <= largest)) largest = distance;
  }
  return largest;
}

}  // namespace

double error_by_plain_loops(const Mdp& model, double gamma, const std::vector<double>& values,
                            double enough) {
  constexpr double infinite = std::numeric_limits<double>::infinity();
  if (values.size() != model.states() ||
      !std::ranges::all_of(values, [](double v) { return std::isfinite(v); })) {
    return infinite;
  }
  Extended w(values.begin(), values.end());
  long double best = infinite;
  for (int sweep = 0; sweep < checker_sweeps && best > enough; ++sweep) {
    Extended tw = bellman(model, gamma, w);
    best = std::min(best, distance_of(values, w) + distance_of(tw, w) / (1.0L - gamma));
    w = std::move(tw);
  }
  return static_cast<double>(best);
}

double largest_distance(const std::vector<double>& v, const std::vector<double>& w) {
  if (v.size() != w.size()) return std::numeric_limits<double>::infinity();
  return static_cast<double>(distance_of(v, w));
}

}  // namespace shortfall::benchmarks

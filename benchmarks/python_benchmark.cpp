#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <pcg_random.hpp>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "benchmarks/child_process.hpp"
#include "benchmarks/side_by_side.hpp"
#include "benchmarks/transition_ring.hpp"
#include "shortfall/dp/solve.hpp"
#include "shortfall/learn/newton.hpp"
#include "shortfall/learn/td.hpp"
#include "shortfall/mdp/random_bits.hpp"

namespace shortfall::benchmarks {
namespace {

constexpr double expectile_level = 0.9;
constexpr std::size_t ring_size = 4096;
constexpr std::size_t updates_per_timing = 4096;

/// python_package.py in another process: idle unless it is its turn.
class PythonPackage {
 public:
  PythonPackage()
      : process_({"/usr/bin/env", "PYTHONPATH=" SHORTFALL_PYTHON_PACKAGE, SHORTFALL_PYTHON,
                  SHORTFALL_PYTHON_BENCHMARK}) {}

  void send(std::string_view text) { process_.send(text); }
  std::string ask(const std::string& line) {
    process_.send(line);
    return process_.read_line();
  }
  Contestant contestant(const std::string& line, double runs) {
    return {.name = line, .run = {}, .seconds = [=, this] { return runs * std::stod(ask(line)); }};
  }

 private:
  ChildProcess process_;
};

template <class A>
void compare_updates(const char* algorithm, const A& learner, const TransitionRing& ring,
                     PythonPackage& python) {
  Feed<A> feed{learner, &ring};
  feed.run(1000);
  std::istringstream theta(python.ask(fmt::format("theta {} 1000\n", algorithm)));
  for (const double ours : feed.learner.theta()) {
    double theirs = 0.0;
    if (!(theta >> theirs) || ours != theirs) {
      throw std::runtime_error("weights from Python and C++ differ");
    }
  }
  const auto timings =
      side_by_side({{"C++", [&] { feed.run(updates_per_timing); }},
                    python.contestant(fmt::format("time {} many 0.05\n", algorithm),
                                      static_cast<double>(updates_per_timing)),
                    python.contestant(fmt::format("time {} one 0.05\n", algorithm),
                                      static_cast<double>(updates_per_timing))});
  const auto nanoseconds = [](const Timing& timing) {
    return timing.seconds / static_cast<double>(updates_per_timing) * 1e9;
  };
  fmt::print("| {} | {} | 1 | {:.2f} | {:.1f} | {:.0f} | {:.0f} |\n", algorithm, ring.dimension,
             timings[1].ratio, timings[2].ratio, nanoseconds(timings[0]), nanoseconds(timings[2]));
}

/// P(x'|x, a) and c(x, a, x') of one action, in compressed rows.
struct Matrix {
  std::vector<std::int32_t> begin{0};
  std::vector<std::int32_t> next;
  std::vector<double> probability;
  std::vector<double> cost;
};

constexpr std::int32_t states = 10000;
constexpr std::size_t actions = 6;

/// About 100 successors per row, sorted and without duplicates, as in SciPy.
std::vector<Matrix> sparse_matrices() {
  pcg64 bits(1);
  std::vector<Matrix> matrices(actions);
  for (Matrix& matrix : matrices) {
    for (std::int32_t x = 0; x < states; ++x) {
      std::vector<std::int32_t> row(100);
      for (std::int32_t& next : row) next = static_cast<std::int32_t>(draw_index(bits, states));
      std::ranges::sort(row);
      row.erase(std::unique(row.begin(), row.end()), row.end());
      std::vector<double> weight(row.size());
      for (double& w : weight) w = draw_uniform(bits);
      const double sum = std::accumulate(weight.begin(), weight.end(), 0.0);
      for (std::size_t i = 0; i < row.size(); ++i) {
        matrix.next.push_back(row[i]);
        matrix.probability.push_back(weight[i] / sum);
        matrix.cost.push_back(10.0 * draw_uniform(bits));
      }
      matrix.begin.push_back(static_cast<std::int32_t>(matrix.next.size()));
    }
  }
  return matrices;
}

/// Builds the model as a C++ program with such matrices would.
Mdp model_of(const std::vector<Matrix>& matrices) {
  GroupedTable table;
  Outcomes& outcomes = table.outcomes;
  std::size_t count = 0;
  for (const Matrix& matrix : matrices) count += matrix.next.size();
  outcomes.probability.reserve(count);
  outcomes.cost.reserve(count);
  outcomes.next.reserve(count);
  for (std::size_t x = 0; x < states; ++x) {
    for (std::size_t a = 0; a < matrices.size(); ++a) {
      const Matrix& matrix = matrices[a];
      const auto append = [&](auto& column, const auto& from) {
        column.insert(column.end(), from.begin() + matrix.begin[x],
                      from.begin() + matrix.begin[x + 1]);
      };
      append(outcomes.probability, matrix.probability);
      append(outcomes.cost, matrix.cost);
      append(outcomes.next, matrix.next);
      outcomes.row_begin.push_back(outcomes.next.size());
      table.action.push_back(static_cast<ActionIndex>(a));
    }
    table.state_begin.push_back(table.action.size());
  }
  return Mdp::build(std::move(table));
}

void compare_solves(PythonPackage& python) {
  const std::vector<Matrix> matrices = sparse_matrices();
  python.send(fmt::format("model {} {}\n", states, actions));
  for (const Matrix& matrix : matrices) {
    python.send(bytes_of(matrix.begin));
    python.send(bytes_of(matrix.next));
    python.send(bytes_of(matrix.probability));
    python.send(bytes_of(matrix.cost));
  }
  const auto solution_of = [](const Mdp& model) {
    return solve(model, {Expectile(expectile_level), 0.99}, Method::policy_iteration,
                 {.tolerance = 1e-6});
  };
  const Mdp model = model_of(matrices);
  const Solution exact = solution_of(model);
  const double sum = std::accumulate(exact.values.begin(), exact.values.end(), 0.0);
  if (!(std::abs(std::stod(python.ask("values\n")) - sum) <= 1e-6 * states)) {
    throw std::runtime_error("values from Python and C++ differ");
  }
  const auto timings = side_by_side({{"C++", [&] { (void)solution_of(model_of(matrices)); }},
                                     {"C++, solve only", [&] { (void)solution_of(model); }},
                                     python.contestant("solve 0.2\n", 1.0)});
  fmt::print("\n| from matrices | C++ | C++, solve only | Python |\n|---|---|---|---|\n");
  fmt::print("| {} states, {} outcomes | 1 | {:.2f} | {:.2f} |\n", states, model.outcomes().size(),
             timings[1].ratio, timings[2].ratio);
}

}  // namespace

void python_against_cpp() {
  fmt::print(
      "\nThe Python package: time per update, in a batch and one at a time, divided by that of a\n"
      "C++ loop; then time from SciPy matrices to the optimal policy, divided by that of C++\n\n"
      "| algorithm | d | C++ | update_many | update | ns, C++ | ns, update |\n"
      "|---|---|---|---|---|---|---|\n");
  PythonPackage python;
  for (const std::size_t d : {10u, 100u}) {
    pcg64 random(1);
    const TransitionRing ring = make_ring(d, ring_size, random);
    python.send(fmt::format("ring {} {}\n", ring.dimension, ring.size));
    python.send(bytes_of(ring.features));
    python.send(bytes_of(ring.costs));
    compare_updates("td", learn::Td(d, Expectile(expectile_level), 0.9), ring, python);
    compare_updates("newton", learn::Newton(d, Expectile(expectile_level), 0.9, {.warmup = 4 * d}),
                    ring, python);
  }
  compare_solves(python);
}

}  // namespace shortfall::benchmarks

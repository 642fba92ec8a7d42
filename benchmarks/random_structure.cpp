#include "benchmarks/random_structure.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
#include <vector>

namespace shortfall::benchmarks {
namespace {

class Draws : public UniformDraws {
 public:
  using UniformDraws::UniformDraws;
  double log_uniform(double low, double high) { return low * std::pow(high / low, unit()); }
  template <class T>
  T one_of(std::initializer_list<T> choices) {
    return choices.begin()[below(choices.size())];
  }
};

struct Size {
  std::size_t states;
  std::size_t actions;
  std::size_t successors;
};

/// Draws a successor of x for its `j`-th outcome.
using Successor = std::function<std::size_t(std::size_t x, std::size_t j)>;

struct Structure {
  std::string name;
  Successor successor;
  bool ends = false;  ///< the last state is terminal
};

Structure structure(std::size_t kind, const Size& size, Draws& draws) {
  const std::size_t n = size.states;
  const auto side = std::max<std::size_t>(2, static_cast<std::size_t>(std::sqrt(n)));
  const std::size_t clusters = 2 + draws.below(8);
  const double leave = draws.log_uniform(1e-5, 0.1);
  switch (kind) {
    case 0:
      return {"random graph", [n, &draws](auto, auto) { return draws.below(n); }};
    case 1:  // one step to either side, or none
      return {"line", [n, &draws](std::size_t x, auto) {
                return std::min(n - 1, x + draws.below(3) - (x > 0 ? 1 : 0));
              }};
    case 2:
      return {"ring", [n, &draws](std::size_t x, std::size_t j) {
                return (x + (j == 0 ? 1 : draws.below(3))) % n;
              }};
    case 3:
      return {"grid", [n, side, &draws](std::size_t x, auto) {
                const std::size_t to[] = {x, x + 1, x + n - 1, x + side, x + n - side};
                return to[draws.below(5)] % n;
              }};
    case 4:  // every state leads to the first ten, and these lead everywhere
      return {"hubs", [n, &draws](std::size_t x, std::size_t j) {
                return x < 10 || j > 0 ? draws.below(n) : draws.below(std::min<std::size_t>(10, n));
              }};
    case 5:
      return {"tree",
              [n, &draws](std::size_t x, auto) {
                return x == 0 || draws.unit() < 0.5 ? std::min(n - 1, 2 * x + 1 + draws.below(2))
                                                    : (x - 1) / 2;
              },
              true};
    case 6:  // forward only
      return {"layers that end",
              [n, &draws](std::size_t x, auto) { return std::min(n - 1, x + 1 + draws.below(50)); },
              true};
    case 7:
      return {"clusters", [n, clusters, leave, &draws](std::size_t x, auto) {
                const std::size_t members = n / clusters + 1;
                const std::size_t home = draws.unit() < leave ? draws.below(clusters) : x / members;
                return std::min(n - 1, home * members + draws.below(members));
              }};
    case 8:  // most outcomes lead back to the state itself
      return {"lazy random graph", [n, &draws](std::size_t x, std::size_t j) {
                return j == 0 || draws.unit() < 0.8 ? x : draws.below(n);
              }};
    default:  // up by one or back to the start
      return {"resets", [n, &draws](std::size_t x, std::size_t j) {
                return j > 0 && draws.unit() < 0.2 ? 0 : std::min(n - 1, x + 1);
              }};
  }
}

Mdp draw_model(const Structure& drawn, const Size& size, Draws& draws) {
  TransitionTable table;
  const std::size_t deciding = drawn.ends ? size.states - 1 : size.states;
  std::vector<double> weight;
  for (std::size_t x = 0; x < deciding; ++x) {
    for (std::size_t a = 0; a < size.actions; ++a) {
      weight.resize(1 + draws.below(2 * size.successors - 1));
      double sum = 0.0;
      for (double& w : weight) sum += w = draws.unit() + 1e-3;
      for (std::size_t j = 0; j < weight.size(); ++j) {
        table.add(static_cast<StateIndex>(x), static_cast<ActionIndex>(a),
                  static_cast<StateIndex>(drawn.successor(x, j)), Probability(weight[j] / sum),
                  10.0 * draws.unit());
      }
    }
  }
  // Every state must appear in the table. All but the last have rows; this adds the last.
  if (drawn.ends) table.to.back() = static_cast<StateIndex>(size.states - 1);
  return Mdp::build(std::move(table));
}

}  // namespace

RandomProblem random_problem(std::uint64_t index) {
  constexpr std::size_t kinds = 10;
  Draws draws(index);
  Size size{static_cast<std::size_t>(draws.log_uniform(200, 20000)), 1 + draws.below(6),
            static_cast<std::size_t>(draws.log_uniform(1, 40))};
  // The largest problems are thinned out: a run has thousands of problems.
  constexpr std::size_t outcomes = 300000;
  size.states = std::min(size.states, outcomes / (size.actions * size.successors));
  const Structure drawn = structure(index % kinds, size, draws);
  const double gamma = draws.one_of({0.5, 0.9, 0.95, 0.99, 0.999, 0.9999});
  const char* const loss = draws.one_of({"mean", "expectile:0.9", "expectile:0.1", "entropic:0.1",
                                         "soft-quantile:0.8,2", "expectile:0.99"});
  return {drawn.name, draw_model(drawn, size, draws), {AnyLoss::parse(loss), gamma}};
}

}  // namespace shortfall::benchmarks

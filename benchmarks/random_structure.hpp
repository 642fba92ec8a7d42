#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "shortfall/dp/solution.hpp"
#include "shortfall/mdp/mdp.hpp"
#include "shortfall/mdp/random_streams.hpp"

namespace shortfall::benchmarks {

/// A problem of random size, structure, discount and loss.
struct RandomProblem {
  std::string structure;
  Mdp model;
  Criterion criterion;
};

/// Problem number `index`; the structures alternate. A solver's speed depends mostly on which
/// states lead to which, so the structures differ in that: random graphs, walks on a line, a ring
/// and a grid, frequently visited hubs, trees, layers that end, clusters that are rarely left, and
/// rows of very different lengths.
RandomProblem random_problem(std::uint64_t index);

/// Builds a model state by state, action by action, in the order of the model's own arrays.
class GroupedBuilder {
 public:
  void add(std::size_t next, double weight, double cost) {
    table_.outcomes.next.push_back(static_cast<StateIndex>(next));
    table_.outcomes.probability.push_back(weight);
    table_.outcomes.cost.push_back(cost);
  }

  /// Ends the row of the next action of the state: its weights become probabilities.
  void end_row() {
    Outcomes& outcomes = table_.outcomes;
    double sum = 0.0;
    for (std::size_t i = outcomes.row_begin.back(); i < outcomes.size(); ++i)
      sum += outcomes.probability[i];
    for (std::size_t i = outcomes.row_begin.back(); i < outcomes.size(); ++i)
      outcomes.probability[i] /= sum;
    outcomes.row_begin.push_back(outcomes.size());
    table_.action.push_back(next_action_++);
  }

  void end_state() {
    table_.state_begin.push_back(table_.action.size());
    next_action_ = 0;
  }

  Mdp build() { return Mdp::build(std::move(table_)); }

 private:
  GroupedTable table_;
  ActionIndex next_action_ = 0;
};

/// Uniform draws from one stream.
class UniformDraws {
 public:
  explicit UniformDraws(std::uint64_t stream) : bits_(stream_generator(1, stream)) {}
  double unit() { return static_cast<double>(bits_() >> 11) * 0x1.0p-53; }
  std::size_t below(std::size_t count) { return bits_() % count; }

 private:
  pcg64 bits_;
};

}  // namespace shortfall::benchmarks

#include <initializer_list>
#include <utility>

#include "tests/dp/published_constructors.hpp"

namespace shortfall::testing {
namespace {

/// An outcome: from, action, to, probability, reward.
struct Row {
  StateIndex x;
  ActionIndex a;
  StateIndex x_next;
  double p;
  double reward;
};

Mdp from_rewards(std::initializer_list<Row> rows) {
  TransitionTable table;
  for (const auto& [x, a, x_next, p, reward] : rows)
    table.add(x, a, x_next, Probability(p), -reward);
  return Mdp::build(std::move(table));
}

}  // namespace

Mdp toolbox_small() {
  return from_rewards({
      {0, 0, 0, 0.5, 5},
      {0, 0, 1, 0.5, 5},
      {0, 1, 1, 1.0, 10},
      {1, 0, 0, 0.8, -1},
      {1, 0, 1, 0.2, -1},
      {1, 1, 0, 0.1, 2},
      {1, 1, 1, 0.9, 2},
  });
}

Mdp puterman_two_states() {
  return from_rewards({
      {0, 0, 0, 0.5, 5},
      {0, 0, 1, 0.5, 5},
      {0, 1, 1, 1.0, 10},
      {1, 0, 1, 1.0, -1},
  });
}

Mdp howard_taxicab() {
  return from_rewards({
      {0, 0, 0, 1 / 2., 10}, {0, 0, 1, 1 / 4., 4},  {0, 0, 2, 1 / 4., 8},  {0, 1, 0, 1 / 16., 8},
      {0, 1, 1, 3 / 4., 2},  {0, 1, 2, 3 / 16., 4}, {0, 2, 0, 1 / 4., 4},  {0, 2, 1, 1 / 8., 6},
      {0, 2, 2, 5 / 8., 4},  {1, 0, 0, 1 / 2., 14}, {1, 0, 2, 1 / 2., 18}, {1, 1, 0, 1 / 16., 8},
      {1, 1, 1, 7 / 8., 16}, {1, 1, 2, 1 / 16., 8}, {2, 0, 0, 1 / 4., 10}, {2, 0, 1, 1 / 4., 2},
      {2, 0, 2, 1 / 2., 8},  {2, 1, 0, 1 / 8., 6},  {2, 1, 1, 3 / 4., 4},  {2, 1, 2, 1 / 8., 2},
      {2, 2, 0, 3 / 4., 4},  {2, 2, 1, 1 / 16., 0}, {2, 2, 2, 3 / 16., 8},
  });
}

Mdp howard_toymaker() {
  return from_rewards({
      {0, 0, 0, 0.5, 9},
      {0, 0, 1, 0.5, 3},
      {0, 1, 0, 0.8, 4},
      {0, 1, 1, 0.2, 4},
      {1, 0, 0, 0.4, 3},
      {1, 0, 1, 0.6, -7},
      {1, 1, 0, 0.7, 1},
      {1, 1, 1, 0.3, -19},
  });
}

Mdp hillier_machine() {
  TransitionTable table;
  table.add(0, 0, 1, Probability(7 / 8.), 0);
  table.add(0, 0, 2, Probability(1 / 16.), 0);
  table.add(0, 0, 3, Probability(1 / 16.), 0);
  table.add(1, 0, 1, Probability(3 / 4.), 1000);
  table.add(1, 0, 2, Probability(1 / 8.), 1000);
  table.add(1, 0, 3, Probability(1 / 8.), 1000);
  table.add(1, 2, 0, Probability(1.0), 6000);
  table.add(2, 0, 2, Probability(1 / 2.), 3000);
  table.add(2, 0, 3, Probability(1 / 2.), 3000);
  table.add(2, 1, 1, Probability(1.0), 4000);
  table.add(2, 2, 0, Probability(1.0), 6000);
  table.add(3, 2, 0, Probability(1.0), 6000);
  return Mdp::build(std::move(table));
}

Mdp taha_gardener() {
  return from_rewards({
      {0, 0, 0, 0.2, 7},
      {0, 0, 1, 0.5, 6},
      {0, 0, 2, 0.3, 3},
      {1, 0, 1, 0.5, 5},
      {1, 0, 2, 0.5, 1},
      {2, 0, 2, 1.0, -1},
      {0, 1, 0, 0.3, 6},
      {0, 1, 1, 0.6, 5},
      {0, 1, 2, 0.1, -1},
      {1, 1, 0, 0.1, 7},
      {1, 1, 1, 0.6, 4},
      {1, 1, 2, 0.3, 0},
      {2, 1, 0, 0.05, 6},
      {2, 1, 1, 0.4, 3},
      {2, 1, 2, 0.55, -2},
  });
}

Mdp recycling_robot() {
  return from_rewards({
      {0, 0, 0, 0.75, 2},
      {0, 0, 1, 0.25, 2},
      {0, 1, 0, 1.0, 1},
      {1, 0, 1, 0.5, 2},
      {1, 0, 0, 0.5, -3},
      {1, 1, 1, 1.0, 1},
      {1, 2, 0, 1.0, 0},
  });
}

Mdp student_process() {
  return from_rewards({
      {0, 0, 0, 0.9, -1},
      {0, 0, 1, 0.1, -1},
      {1, 0, 0, 0.5, -2},
      {1, 0, 2, 0.5, -2},
      {2, 0, 3, 0.8, -2},
      {2, 0, 6, 0.2, -2},
      {3, 0, 4, 0.4, -2},
      {3, 0, 5, 0.6, -2},
      {4, 0, 1, 0.2, 1},
      {4, 0, 2, 0.4, 1},
      {4, 0, 3, 0.4, 1},
      {5, 0, 6, 1.0, 10},
  });
}

Mdp student_decisions() {
  return from_rewards({
      {0, 0, 0, 1.0, -1},
      {0, 1, 1, 1.0, 0},
      {1, 0, 0, 1.0, -1},
      {1, 1, 2, 1.0, -2},
      {2, 0, 4, 1.0, 0},
      {2, 1, 3, 1.0, -2},
      {3, 0, 1, 0.2, 1},
      {3, 0, 2, 0.4, 1},
      {3, 0, 3, 0.4, 1},
      {3, 1, 4, 1.0, 10},
  });
}

}  // namespace shortfall::testing

#include "tests/dp/published_models.hpp"

#include <cmath>
#include <initializer_list>
#include <utility>

#include "shortfall/mdp/library.hpp"
#include "tests/dp/published_constructors.hpp"

namespace shortfall::testing {

namespace {

using Values = std::vector<double>;

/// Half a unit in the last of this many decimals.
double printed_to(int decimals) {
  return 0.5 * std::pow(10.0, -decimals);
}

/// For exact values: only rounding is left.
constexpr double exact = 1e-9;

Values negated(Values rewards) {
  for (double& value : rewards) value = -value;
  return rewards;
}

RandomisedPolicy equiprobable(const Mdp& model) {
  RandomisedPolicy policy;
  for (std::size_t x = 0; x < model.states(); ++x) {
    const std::size_t actions = model.action_count(x);
    policy.weight.insert(policy.weight.end(), actions, 1.0 / static_cast<double>(actions));
  }
  return policy;
}

}  // namespace

std::vector<PublishedModel> published_models() {
  const double robot = 2 / (1 - 0.9 * 0.75 - 0.9 * 0.9 * 0.25);
  return {
      {"toolbox_small", toolbox_small(), 0.9, negated({42.4418604651163, 36.0465116279070}),
       printed_to(13)},
      {"puterman_two_states", puterman_two_states(), 0.95, negated({-8.571, -20.0}), printed_to(3)},
      {"howard_taxicab", howard_taxicab(), 0.9, negated({121.65, 135.31, 122.84}), printed_to(2)},
      {"howard_toymaker", howard_toymaker(), 0.9, negated({22.2, 12.3}), printed_to(1)},
      // By policy iteration in rational arithmetic; do nothing, do nothing, overhaul, replace.
      {"hillier_machine",
       hillier_machine(),
       0.9,
       {14948.554630083, 16261.636452719, 18635.472807447, 19453.699167075},
       printed_to(8)},
      {"recycling_robot", recycling_robot(), 0.9, negated({robot, 0.9 * robot}), exact},
      // Figure 3.5 (Example 3.8), right.
      {"gridworld_optimal", five_by_five(), 0.9, negated({22.0, 24.4, 22.0, 19.4, 17.5,  //
                                                          19.8, 22.0, 19.8, 17.8, 16.0,  //
                                                          17.8, 19.8, 17.8, 16.0, 14.4,  //
                                                          16.0, 17.8, 16.0, 14.4, 13.0,  //
                                                          14.4, 16.0, 14.4, 13.0, 11.7}),
       printed_to(1)},
      // By policy iteration in rational arithmetic; commonly quoted are 0.0688909 and 0.542 at the
      // start for the two discounts.
      {"frozen_lake_0_9", frozen_lake(), 0.9,
       negated({0.068890904889, 0.061414571509, 0.074409761966, 0.055807321475,  //
                0.091854539852, 0, 0.112208206412, 0,                            //
                0.145436354766, 0.247496954601, 0.299617592739, 0,               //
                0, 0.379935901166, 0.639020148119, 0}),
       printed_to(11)},
      {"frozen_lake_0_99", frozen_lake(), 0.99,
       negated({0.542025932, 0.498803187229, 0.470695690556, 0.456851699658,  //
                0.558450960243, 0, 0.358348071983, 0,                         //
                0.591798744856, 0.643079824768, 0.615207557877, 0,            //
                0, 0.741720438989, 0.862837430149, 0}),
       printed_to(11)},
      // Printed on the slide for γ = 0.9.
      {"student_process_0_9", student_process(), 0.9,
       negated({-7.6, -5.0, 0.9, 4.1, 1.9, 10.0, 0.0}), printed_to(1)},
  };
}

std::vector<PublishedPolicy> published_policies() {
  const Mdp grid = five_by_five();
  const Mdp corners = four_by_four();
  return {
      // Figure 3.2 (Example 3.5), right.
      {"gridworld_equiprobable", grid, equiprobable(grid), 0.9,
       negated({3.3,  8.8,  4.4,  5.3,  1.5,   //
                1.5,  3.0,  2.3,  1.9,  0.5,   //
                0.1,  0.7,  0.7,  0.4,  -0.4,  //
                -1.0, -0.4, -0.4, -0.6, -1.2,  //
                -1.9, -1.3, -1.2, -1.4, -2.0}),
       printed_to(1)},
      // Figure 4.1, k = ∞.
      {"corners_equiprobable",
       corners,
       equiprobable(corners),
       1.0,
       {0, 14, 20, 22,   //
        14, 18, 20, 20,  //
        20, 20, 18, 14,  //
        22, 20, 14, 0},
       exact},
  };
}

std::vector<PublishedHorizon> published_horizons() {
  // Toolboxes print V of FiniteHorizon(P, R, 0.9, 3) by stages to go.
  const auto forest = [](int stages, Values rewards) {
    return PublishedHorizon{"forest_" + std::to_string(stages), library::forest(), 0.9, stages,
                            negated(std::move(rewards)),        printed_to(4)};
  };
  // Taha prints two decimals and uses them in the next stage: half a unit per stage.
  const auto gardener = [](int stages, Values rewards) {
    return PublishedHorizon{
        "gardener_" + std::to_string(stages), taha_gardener(),       1.0, stages,
        negated(std::move(rewards)),          stages * printed_to(2)};
  };
  return {
      forest(1, {0, 1, 4}),
      forest(2, {0.81, 3.24, 7.24}),
      forest(3, {2.6973, 5.9373, 9.9373}),
      gardener(1, {5.3, 3.1, 0.4}),
      gardener(2, {8.19, 5.61, 2.13}),
      gardener(3, {10.74, 7.92, 4.23}),
      {"frozen_lake", frozen_lake(), 1.0, 1500,
       negated({14 / 17., 14 / 17., 14 / 17., 14 / 17.,  //
                14 / 17., 0, 9 / 17., 0,                 //
                14 / 17., 14 / 17., 13 / 17., 0,         //
                0, 15 / 17., 16 / 17., 0}),
       exact},
      {"four_by_three_world", four_by_three_world(), 1.0, 500,
       negated({0.812, 0.868, 0.918, 0.0,  //
                0.762, 0.660, 0.0,         //
                0.705, 0.655, 0.611, 0.388}),
       printed_to(3)},
      // The slide for γ = 1 prints -23, -13, 1.5, 4.3, 0.8, 10, 0; these are the exact ones.
      {"student_process", student_process(), 1.0, 1000,
       negated({-1826 / 81., -1016 / 81., 118 / 81., 350 / 81., 65 / 81., 10, 0}), exact},
      {"student_decisions", student_decisions(), 1.0, 100, negated({6, 6, 8, 10, 0}), exact},
      {"random_walk", random_walk(), 1.0, 500,
       negated({0, 1 / 6., 2 / 6., 3 / 6., 4 / 6., 5 / 6., 0}), exact},
      {"gamblers_problem", gamblers_problem(), 1.0, 200, negated(gamblers_values()), exact},
      {"cliff_walking", cliff_walking(), 1.0, 20, cliff_values(), exact},
  };
}

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

#include "shortfall/mdp/library.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "errors/require.hpp"
#include "shortfall/mdp/outcomes.hpp"
#include "shortfall/mdp/random_bits.hpp"
#include "shortfall/risk/law.hpp"

namespace shortfall::library {
namespace {

void check_probability(const char* what, double value) {
  require(value >= 0.0 && value <= 1.0, "{} is {}; accepted: a number in [0, 1]", what, value);
}

void check_count(const char* what, std::size_t value, std::size_t least) {
  constexpr std::size_t most = std::numeric_limits<StateIndex>::max();
  require(value >= least && value <= most, "{} is {}; accepted: a number from {} to {}", what,
          value, least, most);
}

}  // namespace

Mdp forest(const ForestParameters& parameters) {
  check_count("forest: the number of states", parameters.states, 2);
  check_probability("forest: the probability of fire", parameters.fire_probability);
  const double p = parameters.fire_probability;
  const auto oldest = static_cast<StateIndex>(parameters.states - 1);
  TransitionTable table;
  for (StateIndex age = 0; age <= oldest; ++age) {
    const double wait_cost = age == oldest ? -parameters.wait_reward : 0.0;
    table.add(age, 0, 0, Probability(p), wait_cost);
    table.add(age, 0, std::min(age + 1, oldest), Probability(1.0 - p), wait_cost);
    const double cut_cost = age == 0 ? 0.0 : age < oldest ? -1.0 : -parameters.cut_reward;
    table.add(age, 1, 0, Probability(1.0), cut_cost);
  }
  return Mdp::build(std::move(table));
}

Mdp machine_replacement(const MachineReplacementParameters& parameters) {
  check_count("machine_replacement: the number of states", parameters.states, 2);
  check_probability("machine_replacement: the probability of wear", parameters.wear_probability);
  const double p = parameters.wear_probability;
  const auto worst = static_cast<StateIndex>(parameters.states - 1);
  TransitionTable table;
  const auto run = [&](StateIndex x, ActionIndex action, StateIndex wear, double price) {
    const double cost = price + parameters.wear_cost * static_cast<double>(wear);
    table.add(x, action, wear, Probability(1.0 - p), cost);
    table.add(x, action, std::min(wear + 1, worst), Probability(p), cost);
  };
  for (StateIndex x = 0; x <= worst; ++x) {
    run(x, 0, x, 0.0);
    run(x, 1, 0, parameters.replacement_cost);
  }
  return Mdp::build(std::move(table));
}

namespace {

enum Action : ActionIndex { left, right };

}  // namespace

Mdp river_swim(const RiverSwimParameters& parameters) {
  check_count("river_swim: the number of states", parameters.states, 2);
  const auto last = static_cast<StateIndex>(parameters.states - 1);
  TransitionTable table;
  table.add(0, left, 0, Probability(1.0), -parameters.small_reward);
  table.add(0, right, 0, Probability(0.7), 0.0);
  table.add(0, right, 1, Probability(0.3), 0.0);
  for (StateIndex x = 1; x < last; ++x) {
    table.add(x, left, x - 1, Probability(1.0), 0.0);
    table.add(x, right, x - 1, Probability(0.1), 0.0);
    table.add(x, right, x, Probability(0.6), 0.0);
    table.add(x, right, x + 1, Probability(0.3), 0.0);
  }
  table.add(last, left, last - 1, Probability(1.0), 0.0);
  table.add(last, right, last - 1, Probability(0.7), 0.0);
  table.add(last, right, last, Probability(0.3), -parameters.large_reward);
  return Mdp::build(std::move(table));
}

namespace {

constexpr double cost_mean = 10.0;
constexpr double cost_deviation = 10.0;

Mdp random_model(const RandomMdpSize& size, pcg64& generator) {
  TransitionTable table;
  std::vector<double> weight(size.states);
  for (StateIndex x = 0; x < size.states; ++x) {
    for (std::uint32_t a = 0; a < size.actions; ++a) {
      double sum = 0.0;
      for (double& w : weight) sum += w = draw_uniform(generator);
      const double cost = cost_mean + cost_deviation * draw_normal(generator);
      for (StateIndex y = 0; y < size.states; ++y) {
        table.add(x, static_cast<ActionIndex>(a), y, Probability(weight[y] / sum), cost);
      }
    }
  }
  return Mdp::build(std::move(table));
}

/// Gram-Schmidt, each column twice, which makes the columns orthogonal to rounding (Giraud, Langou,
/// Rozložník, van den Eshof, Numerische Mathematik 101, 2005). Eigen's Householder QR would work as
/// well, at three times the compile time of this file.
Eigen::MatrixXd random_orthonormal(Eigen::Index rows, Eigen::Index columns, pcg64& generator) {
  Eigen::MatrixXd q(rows, columns);
  for (Eigen::Index j = 0; j < columns; ++j) {
    for (Eigen::Index i = 0; i < rows; ++i) q(i, j) = draw_normal(generator);
    for (int pass = 0; pass < 2; ++pass) {
      for (Eigen::Index k = 0; k < j; ++k) q.col(j) -= q.col(k).dot(q.col(j)) * q.col(k);
    }
    q.col(j).normalize();
  }
  return q;
}

}  // namespace

RandomMdp random_mdp(const RandomMdpSize& size, pcg64& generator) {
  check_count("random_mdp: the number of states", size.states, 1);
  check_count("random_mdp: the number of actions", size.actions, 1);
  check_count("random_mdp: the number of features", size.features, 1);
  require(size.features <= size.states,
          "random_mdp: {} features on {} states; accepted: at most one per state", size.features,
          size.states);
  Mdp model = random_model(size, generator);
  Policy policy(size.states);
  for (ActionIndex& action : policy) {
    action = static_cast<ActionIndex>(draw_index(generator, size.actions));
  }
  return {std::move(model), std::move(policy),
          random_orthonormal(size.states, size.features, generator)};
}

namespace {

constexpr StateIndex terminal_state = boyan_states - 1;
constexpr double move_cost = 3.0;

}  // namespace

Mdp boyan_chain(double final_cost) {
  TransitionTable table;
  for (StateIndex s = 0; s + 1 < terminal_state; ++s) {
    table.add(s, 0, s + 1, Probability(0.5), move_cost);
    table.add(s, 0, s + 2, Probability(0.5), move_cost);
  }
  table.add(terminal_state - 1, 0, terminal_state, Probability(1.0), final_cost);
  return Mdp::build(std::move(table));
}

double boyan_final_cost(const AnyLoss& loss) {
  // c ↦ (3 + ρ(Z)) / 2 contracts by 1/2, since |ρ(Z) - ρ(Z')| ≤ max |Z - Z'|: from an error of at
  // most 3/2, sixty steps leave less than half a unit in the last place.
  constexpr std::array probabilities{0.5, 0.5};
  double c = move_cost / 2.0;
  for (int step = 0; step < 60; ++step) {
    const std::array atoms{0.0, c};
    c = 0.5 * (move_cost + shortfall_risk(loss, Law{atoms, probabilities}));
  }
  return c;
}

Eigen::MatrixXd boyan_features() {
  Eigen::MatrixXd features = Eigen::MatrixXd::Zero(boyan_states, 4);
  for (Eigen::Index s = 0; s < terminal_state; ++s) {
    const Eigen::Index before = s / 4;
    const double beyond = static_cast<double>(s % 4) / 4.0;
    features(s, before) = 1.0 - beyond;
    if (beyond > 0.0) features(s, before + 1) = beyond;
  }
  return features;
}

Counterexample counterexample(double p, DeltaRoot root) {
  require(p > 0.0 && p <= 1.0,
          "counterexample: the probability p of a change of state is {}; accepted: a "
          "number in (0, 1]",
          p);
  TransitionTable table;
  for (const StateIndex x : {StateIndex{0}, StateIndex{1}}) {
    table.add(x, 0, x, Probability(1.0 - p), 0.0);
    table.add(x, 0, 1 - x, Probability(p), 0.0);
  }
  const double sign = root == DeltaRoot::larger ? 1.0 : -1.0;
  Eigen::MatrixXd features(2, 1);
  features << 1.0, (891.0 + sign * std::sqrt(465917.0)) / 182.0;
  return {Mdp::build(std::move(table)), Expectile(10.0 / 11.0), 0.9, std::move(features)};
}

std::vector<NamedModel> small_models() {
  pcg64 generator(1);
  return {
      {"forest", forest()},
      {"forest of 20 ages", forest({.states = 20, .fire_probability = 0.05})},
      {"Boyan chain", boyan_chain()},
      {"counterexample", counterexample(0.9, DeltaRoot::smaller).model},
      {"river swim", river_swim()},
      {"river swim of 20 states", river_swim({.states = 20})},
      {"machine replacement", machine_replacement()},
      {"machine replacement, 50 states", machine_replacement({.states = 50, .wear_cost = 0.5})},
      {"random model", random_mdp({}, generator).model},
      {"random model of 50 states", random_mdp({.states = 50, .actions = 4}, generator).model},
  };
}

}  // namespace shortfall::library

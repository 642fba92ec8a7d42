#include "shortfall/mdp/library/boyan.hpp"

#include <array>
#include <utility>

#include "shortfall/risk/law.hpp"

namespace shortfall::library {
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

}  // namespace shortfall::library

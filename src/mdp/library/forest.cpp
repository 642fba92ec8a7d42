#include "shortfall/mdp/library/forest.hpp"

#include <algorithm>
#include <utility>

#include "mdp/library/parameters.hpp"

namespace shortfall::library {

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

}  // namespace shortfall::library

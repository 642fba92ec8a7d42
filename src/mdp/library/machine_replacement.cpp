#include "shortfall/mdp/library/machine_replacement.hpp"

#include <algorithm>
#include <utility>

#include "mdp/library/parameters.hpp"

namespace shortfall::library {

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

}  // namespace shortfall::library

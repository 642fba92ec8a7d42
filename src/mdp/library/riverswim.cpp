#include "shortfall/mdp/library/riverswim.hpp"

#include <utility>

#include "mdp/library/parameters.hpp"

namespace shortfall::library {
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

}  // namespace shortfall::library

#include "shortfall/mdp/library.hpp"

namespace shortfall::library {

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

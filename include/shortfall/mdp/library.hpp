#pragma once

#include <string>
#include <vector>

#include "shortfall/mdp/library/boyan.hpp"
#include "shortfall/mdp/library/catalogue.hpp"
#include "shortfall/mdp/library/counterexample.hpp"
#include "shortfall/mdp/library/forest.hpp"
#include "shortfall/mdp/library/machine_replacement.hpp"
#include "shortfall/mdp/library/random_mdp.hpp"
#include "shortfall/mdp/library/riverswim.hpp"

/// Small models from the literature, most of them with a known solution.
namespace shortfall::library {

struct NamedModel {
  std::string name;
  Mdp model;
};

/// One or more instances of each model here, of at most 50 states, for tests of solvers to
/// iterate over.
std::vector<NamedModel> small_models();

}  // namespace shortfall::library

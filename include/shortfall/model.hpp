#pragma once

/// Markov decision processes: built outcome by outcome, read from a file, or from the library of
/// models that know their answer (mdp/library.hpp).
///
///   const Mdp forest = library::forest();
///   const Mdp mine = io::read_model("model.csv").model;

#include "shortfall/formats/model_file.hpp"
#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/library.hpp"
#include "shortfall/mdp/mdp.hpp"
#include "shortfall/mdp/sampler.hpp"

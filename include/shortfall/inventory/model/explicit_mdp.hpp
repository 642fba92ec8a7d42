#pragma once

#include "shortfall/inventory/model/model.hpp"
#include "shortfall/mdp/mdp.hpp"

namespace shortfall::inventory {

/// The reference for the exact kernel: every outcome (Y, D) of every order in every state, listed
/// one by one from the equations of model.hpp, as a model for the solvers of dp. States are
/// numbered as in Model; actions are orders. For small instances and inspection: at shelf life 5
/// and capacity 20 it has 2·10⁸ outcomes.
Mdp explicit_mdp(const Model& model);

}  // namespace shortfall::inventory

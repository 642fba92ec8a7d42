#pragma once

#include <string>

#include "shortfall/formats/inventory_toml.hpp"
#include "shortfall/mdp/mdp.hpp"

/// Models that readers of other files refer to, and what holds for every model.
namespace shortfall::fuzz {

/// Three states from 1 on, the last one terminal, with one or two actions.
const Mdp& small_model();

/// Ten stocks of two ages.
const io::InventoryConfiguration& small_inventory();

/// Ends the process unless every row is a law with finite costs, of states of the model.
void expect_model(const Mdp& model);

/// Whether two models have the same bits.
bool is_same(const Mdp& a, const Mdp& b);

}  // namespace shortfall::fuzz

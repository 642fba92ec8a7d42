#pragma once

#include <Eigen/Core>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shortfall/mdp/mdp.hpp"
#include "shortfall/risk/any_loss.hpp"

namespace shortfall::library {

/// A model of the library as its source uses it: with the discount factor, policy, features and
/// loss that belong to it, where there are any.
struct CatalogueModel {
  std::string name;
  std::string about;  ///< in a line
  Mdp model;
  std::optional<double> gamma = {};
  std::optional<Policy> policy = {};  ///< not needed by a model without choices
  Eigen::MatrixXd features = {};      ///< no columns: none
  std::optional<AnyLoss> loss = {};
};

/// The names that `catalogue_model` knows, in alphabetical order:
///
///   boyan                γ = 1 and four features; its value is linear under the mean
///   counterexample       p = 0.95: TD moves away from the value
///   forest               three ages, always wait
///   machine-replacement  ten states of wear
///   random               ten states and five features: the model of the convergence figures, seed
///   1 riverswim            six states, always swim right
std::vector<std::string_view> catalogue_names();

/// Throws InvalidInput for another name, with those that are known.
CatalogueModel catalogue_model(std::string_view name);

}  // namespace shortfall::library

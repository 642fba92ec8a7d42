#pragma once

#include <string>
#include <vector>

#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/mdp.hpp"

/// Risk-neutral models from books, courses and software with published values. Rewards enter as
/// negative costs, and values are those of costs.
namespace shortfall::testing {

/// A model with its optimal value, by state, at a discount below one.
struct PublishedModel {
  std::string name;
  Mdp model;
  double gamma;
  std::vector<double> values;
  double tolerance;  ///< half a unit in the last digit printed
};
std::vector<PublishedModel> published_models();

/// A model with the value, by state, of a randomised policy.
struct PublishedPolicy {
  std::string name;
  Mdp model;
  RandomisedPolicy policy;
  double gamma;
  std::vector<double> values;
  double tolerance;
};
std::vector<PublishedPolicy> published_policies();

/// A model with its optimal value, by state, over a number of stages: either published for exactly
/// that number, or undiscounted and over enough stages to equal the infinite horizon.
struct PublishedHorizon {
  std::string name;
  Mdp model;
  double gamma;
  int stages;
  std::vector<double> values;
  double tolerance;
};
std::vector<PublishedHorizon> published_horizons();

}  // namespace shortfall::testing

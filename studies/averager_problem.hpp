#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "shortfall/mdp/chain.hpp"

namespace shortfall::studies {

/// The features of random models, all nonnegative with sums of 1. States are points of [0, 1] in
/// equal distances.
///
///   aggregation   groups of neighbours
///   hats          linear interpolation on a grid
///   radial        Gaussian functions around the points of a grid, divided by their sum
///   stochastic    rows drawn evenly from all probability vectors
inline constexpr std::array<std::string_view, 4> averager_features = {"aggregation", "hats",
                                                                      "radial", "stochastic"};

/// One of each kind of loss. At τ = 0.99 and for the exponential losses the paper's condition
/// allows γ up to 0.01, 0 and 0.02.
inline constexpr std::array<std::string_view, 6> averager_losses = {
    "mean",
    "expectile:0.99",
    "entropic:0.1",
    "truncated-entropic:0.5,4",
    "soft-quantile:0.9,2",
    "piecewise:-1:-0.5,0:0,1:2,3:9"};

inline constexpr std::array<double, 4> averager_discounts = {0.8, 0.95, 0.99, 0.999};

/// A random model: 6 to 14 states with up to four successors, among the neighbours or anywhere, and
/// costs in [-1.5, 1.5], one part by state and one by outcome; 2 to 5 features.
struct AveragerProblem {
  Chain chain;
  std::vector<double> q;  ///< stationary
  Eigen::MatrixXd phi;
};

/// Model number `model` of a kind of features: the same for every loss and discount.
AveragerProblem averager_problem(std::string_view features, std::uint64_t seed,
                                 std::uint64_t model);

}  // namespace shortfall::studies

#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <pcg_random.hpp>

#include "shortfall/mdp/mdp.hpp"

namespace shortfall::library {

/// The random model of the convergence experiments: every state has every action; the kernel is
/// uniform on [0, 1], each row divided by its sum; costs c(x, a) are normal with mean 10 and
/// variance 100, the same for all outcomes of a pair; each state's action is uniform. The feature
/// matrix is the orthonormal factor of a standard normal N × d one.
struct RandomMdp {
  Mdp model;
  Policy policy;
  Eigen::MatrixXd features;  ///< N × d with orthonormal columns
};

struct RandomMdpSize {
  std::uint32_t states = 10;    ///< N ≥ 1
  std::uint32_t actions = 10;   ///< ≥ 1
  std::uint32_t features = 10;  ///< d, in 1..N
};

/// The same generator state gives the same model, policy and features on every platform, up to the
/// last places of costs and features. Draws are taken in the order: kernel and cost by state and
/// action, policy, features by column. So models of equal N and number of actions agree for all d,
/// and their features agree in the columns they share.
RandomMdp random_mdp(const RandomMdpSize& size, pcg64& generator);

}  // namespace shortfall::library

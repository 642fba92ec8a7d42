#pragma once

#include <Eigen/Core>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <pcg_random.hpp>
#include <string>
#include <vector>

#include "shortfall/mdp/chain.hpp"
#include "shortfall/mdp/stationary.hpp"
#include "tests/mdp/chains_for_tests.hpp"
#include "tests/risk/losses_for_tests.hpp"

namespace shortfall::testing {

inline double uniform(pcg64& generator, double from, double to) {
  return from + (to - from) * std::ldexp(static_cast<double>(generator() >> 11), -53);
}

inline std::size_t one_of(pcg64& generator, std::size_t count) {
  return static_cast<std::size_t>(generator() % count);
}

inline Eigen::VectorXd random_vector(pcg64& generator, Eigen::Index size, double magnitude) {
  Eigen::VectorXd v(size);
  for (double& entry : v) entry = uniform(generator, -magnitude, magnitude);
  return v;
}

inline Eigen::MatrixXd random_matrix(pcg64& generator, Eigen::Index rows, Eigen::Index columns) {
  Eigen::MatrixXd m(rows, columns);
  for (Eigen::Index j = 0; j < columns; ++j) m.col(j) = random_vector(generator, rows, 1.0);
  return m;
}

/// An ergodic chain of up to `max_states` states: a cycle through all of them, a loop at 0, and a
/// few more moves, with costs in [-10, 10] that vary with the outcome.
inline Chain random_chain(pcg64& generator, std::size_t max_states = 8) {
  const std::size_t states = 2 + one_of(generator, max_states - 1);
  std::vector<std::vector<Move>> rows(states);
  for (std::size_t x = 0; x < states; ++x) {
    std::vector<StateIndex> next{static_cast<StateIndex>((x + 1) % states)};
    if (x == 0) next.push_back(0);
    for (std::size_t more = one_of(generator, 4); more > 0; --more) {
      next.push_back(static_cast<StateIndex>(one_of(generator, states)));
    }
    double sum = 0.0;
    for (const StateIndex y : next) {
      rows[x].push_back({uniform(generator, 0.05, 1.0), y, uniform(generator, -10.0, 10.0)});
      sum += rows[x].back().probability;
    }
    for (Move& move : rows[x]) move.probability /= sum;
  }
  return chain_of(rows);
}

/// A random chain with its stationary law.
struct ErgodicChain {
  explicit ErgodicChain(pcg64& generator)
      : chain(random_chain(generator)), q(stationary_law(chain).probability) {}
  Eigen::Index states() const { return static_cast<Eigen::Index>(chain.states()); }

  Chain chain;
  std::vector<double> q;
};

/// The members of `loss_specs` with slopes bounded away from 0 and from infinity.
inline std::vector<std::string> bounded_loss_specs() {
  std::vector<std::string> specs;
  for (const auto& spec : loss_specs()) {
    if (!spec.starts_with("entropic")) specs.push_back(spec);
  }
  return specs;
}

}  // namespace shortfall::testing

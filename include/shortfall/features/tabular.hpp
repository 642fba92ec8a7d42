#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "shortfall/mdp/outcomes.hpp"

namespace shortfall::features {

/// One feature per state, 1 there and 0 elsewhere: Φ is the identity, θ the value itself.
/// AsynchronousValueIteration does the same in constant time per update.
class Tabular {
 public:
  explicit Tabular(std::size_t states) : states_(states) {}

  std::size_t dimension() const { return states_; }

  /// x < states.
  void write(StateIndex x, std::span<double> out) const {
    std::fill(out.begin(), out.end(), 0.0);
    out[x] = 1.0;
  }

 private:
  std::size_t states_;
};

}  // namespace shortfall::features

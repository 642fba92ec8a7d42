#pragma once

#include <cstddef>
#include <cstdint>
#include <pcg_random.hpp>
#include <span>
#include <vector>

#include "shortfall/mdp/random_bits.hpp"

namespace shortfall::testing {

/// Transitions without an underlying model: features and costs are normal. Successive ones are
/// joined into a trajectory.
class RandomTransitions {
 public:
  explicit RandomTransitions(std::size_t d, std::uint64_t seed = 1)
      : random_(seed), now_(d), next_(d) {
    for (double& x : next_) x = draw_normal(random_);
  }

  void advance() {
    now_ = next_;
    for (double& x : next_) x = draw_normal(random_);
    cost_ = 10.0 + 10.0 * draw_normal(random_);
  }

  std::span<const double> phi() const { return now_; }
  std::span<const double> phi_next() const { return next_; }
  double cost() const { return cost_; }

 private:
  pcg64 random_;
  std::vector<double> now_;
  std::vector<double> next_;
  double cost_ = 0.0;
};

}  // namespace shortfall::testing

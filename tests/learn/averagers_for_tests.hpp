#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <pcg_random.hpp>
#include <span>
#include <vector>

#include "shortfall/features/sparse_features.hpp"
#include "shortfall/mdp/random_bits.hpp"

namespace shortfall::testing {

/// Transitions without an underlying model, for averagers: up to `active` of d features are
/// positive and sum to 1, or to less in every fourth. Successive ones are joined.
class RandomCells {
 public:
  RandomCells(std::size_t d, std::size_t active, std::uint64_t seed = 1)
      : random_(seed), active_(active), now_(d), next_(d), dense_now_(d), dense_next_(d) {
    advance();
  }

  void advance() {
    std::swap(now_, next_);
    std::swap(dense_now_, dense_next_);
    std::fill(dense_next_.begin(), dense_next_.end(), 0.0);
    double sum = 0.0;
    for (std::size_t k = 0; k < active_; ++k) {
      const auto i =
          static_cast<std::size_t>(draw_uniform(random_) * static_cast<double>(dense_next_.size()));
      const double value = active_ == 1 ? 1.0 : draw_uniform(random_);
      sum += value - dense_next_[i];
      dense_next_[i] = value;
    }
    const double scale = active_ > 1 && ++count_ % 4 == 0 ? 0.9 : 1.0;
    for (double& value : dense_next_) value *= scale / sum;
    next_.assign(dense_next_);
    cost_ = 10.0 + 10.0 * draw_normal(random_);
    weight_ = 2.0 * draw_uniform(random_);
  }

  std::span<const double> phi() const { return dense_now_; }
  std::span<const double> phi_next() const { return dense_next_; }
  features::SparseFeatures sparse() const { return now_; }
  features::SparseFeatures sparse_next() const { return next_; }
  double cost() const { return cost_; }
  double weight() const { return weight_; }

 private:
  pcg64 random_;
  std::size_t active_;
  std::uint64_t count_ = 0;
  features::ActiveFeatures now_, next_;
  std::vector<double> dense_now_, dense_next_;
  double cost_ = 0.0;
  double weight_ = 1.0;
};

}  // namespace shortfall::testing

#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shortfall/features/sparse_features.hpp"
#include "shortfall/mdp/outcomes.hpp"

namespace shortfall::features {

/// Hard aggregation: every state belongs to one of d cells, and φ_i(x) is 1 if that is cell i, else
/// 0. All states of a cell have the same value, θ_i. Averager TD is then UBSR-TD, and converges for
/// every loss and γ < 1 (learn/averager_learner.hpp).
///
/// Check: cells {0, 0, 1} have d = 2, and φ(2) = (0, 1).
class Aggregation {
 public:
  /// The cell of each state. Throws InvalidInput without states, and if there is no state in some
  /// cell below the largest number.
  explicit Aggregation(std::vector<std::uint32_t> cells);

  std::size_t states() const { return cells_.size(); }
  std::size_t dimension() const { return dimension_; }
  std::size_t max_active() const { return 1; }

  /// Throws InvalidInput unless x < states.
  std::uint32_t cell(StateIndex x) const {
    if (x >= cells_.size()) throw_no_state(x);
    return cells_[x];
  }
  void write(StateIndex x, std::span<double> out) const {
    const std::uint32_t i = cell(x);
    std::fill(out.begin(), out.end(), 0.0);
    out[i] = 1.0;
  }
  void write_active(StateIndex x, ActiveFeatures& out) const {
    const std::uint32_t i = cell(x);
    out.clear();
    out.add(i, 1.0);
  }

 private:
  [[noreturn]] void throw_no_state(StateIndex x) const;

  std::vector<std::uint32_t> cells_;
  std::size_t dimension_;
};

}  // namespace shortfall::features

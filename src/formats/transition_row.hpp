#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace shortfall::io {

/// A transition while it is read: 2d + 1 numbers, the current features, the next ones and the cost.
struct TransitionRow {
  std::vector<double> values;
  bool terminal = false;

  void set_dimension(std::size_t d) { values.assign(d == 0 ? 0 : 2 * d + 1, 0.0); }
  std::size_t dimension() const { return values.size() / 2; }
  std::span<double> phi() { return std::span(values).first(dimension()); }
  std::span<double> phi_next() { return std::span(values).subspan(dimension(), dimension()); }
  double& cost() { return values.back(); }

  /// Sets the next features of a terminal transition to 0, whatever the line contains.
  void settle() {
    if (terminal) std::ranges::fill(phi_next(), 0.0);
  }
};

}  // namespace shortfall::io

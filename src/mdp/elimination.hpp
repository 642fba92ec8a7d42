#pragma once

#include <cstddef>
#include <vector>

namespace shortfall {

/// The stationary law by Grassmann-Taksar-Heyman elimination. `rates` is a dense row-major n × n
/// matrix whose off-diagonal entry (x, y) is ≥ 0 and, within row x, proportional to the probability
/// of the transition; the diagonal is not read. It is overwritten. The chain must be irreducible.
std::vector<double> eliminate_stationary(std::vector<double> rates, std::size_t n);

}  // namespace shortfall

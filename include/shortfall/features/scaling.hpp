#pragma once

#include <cstddef>
#include <vector>

namespace shortfall::features {

/// The offset subtracted from each feature or coordinate, and the divisor applied afterwards.
struct Scaling {
  std::vector<double> shift;
  std::vector<double> scale;  ///< > 0
};

namespace detail {
/// Throws InvalidInput unless there is a finite shift and a finite scale > 0 for each.
void check_scaling(const Scaling& scaling, std::size_t dimension);
}  // namespace detail

}  // namespace shortfall::features

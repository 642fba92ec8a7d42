#include "shortfall/learn/detail/sparse_kernels.hpp"

#include <cmath>

namespace shortfall::learn::detail {

using features::SparseFeatures;

double sparse_dot(const double* theta, const SparseFeatures& phi) {
  double sum = 0.0;
  for (std::size_t k = 0; k < phi.size(); ++k) sum += theta[phi.index[k]] * phi.value[k];
  return sum;
}

ValuePair sparse_values(const double* theta, const SparseFeatures& phi,
                        const SparseFeatures& phi_next) {
  double largest = 0.0;
  for (const std::size_t i : phi.index) {
    const double size = std::abs(theta[i]);
    largest = size > largest ? size : largest;
  }
  return {largest, sparse_dot(theta, phi_next)};
}

void sparse_add(double* theta, const double* scale, const SparseFeatures& phi) {
  for (std::size_t k = 0; k < phi.size(); ++k) theta[phi.index[k]] += scale[k] * phi.value[k];
}

}  // namespace shortfall::learn::detail

#include "shortfall/learn/detail/sparse_kernels.hpp"

namespace shortfall::learn::detail {

double sparse_dot(const double* theta, features::SparseFeatures phi) {
  double sum = 0.0;
  for (std::size_t k = 0; k < phi.size(); ++k) sum += theta[phi.index[k]] * phi.value[k];
  return sum;
}

void sparse_add(double* theta, const double* scale, features::SparseFeatures phi) {
  for (std::size_t k = 0; k < phi.size(); ++k) theta[phi.index[k]] += scale[k] * phi.value[k];
}

}  // namespace shortfall::learn::detail

#pragma once

#include "shortfall/features/sparse_features.hpp"
#include "shortfall/learn/detail/vector_kernels.hpp"

/// The inner loops of averagers. As in vector_kernels.hpp nothing is fused, and sums are in the
/// order of the indices, so that results have the same bits on every machine.
namespace shortfall::learn::detail {

/// φᵀθ.
double sparse_dot(const double* theta, const features::SparseFeatures& phi);
/// The largest |θ_i| of the active features of φ, and φ'ᵀθ.
ValuePair sparse_values(const double* theta, const features::SparseFeatures& phi,
                        const features::SparseFeatures& phi_next);
/// θ_i += s_i φ_i for the active i, `scale` in the order of the indices.
void sparse_add(double* theta, const double* scale, const features::SparseFeatures& phi);

}  // namespace shortfall::learn::detail

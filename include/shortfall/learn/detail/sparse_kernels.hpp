#pragma once

#include "shortfall/features/sparse_features.hpp"

/// The inner loops of averagers. As in vector_kernels.hpp nothing is fused, and sums are in the
/// order of the indices, so that results have the same bits on every machine.
namespace shortfall::learn::detail {

/// φᵀθ.
double sparse_dot(const double* theta, features::SparseFeatures phi);
/// θ_i += s_i φ_i for the active i, `scale` in the order of the indices.
void sparse_add(double* theta, const double* scale, features::SparseFeatures phi);

}  // namespace shortfall::learn::detail

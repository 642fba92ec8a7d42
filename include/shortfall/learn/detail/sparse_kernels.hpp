#pragma once

#include <span>

#include "shortfall/features/sparse_features.hpp"
#include "shortfall/risk/loss.hpp"

/// The inner loops of averagers. As in vector_kernels.hpp nothing is fused, and sums are in the
/// order of the indices, so that results have the same bits on every machine.
namespace shortfall::learn::detail {

/// φᵀθ.
double sparse_dot(const double* theta, const features::SparseFeatures& phi);
/// What an averager needs of θ for one transition.
struct CellValues {
  double largest;  ///< |θ_i| of the active features of φ
  double next;     ///< φ'ᵀθ
  /// Whether both are as features::is_averager(phi, d) says, but for the slack of many features. If
  /// not, the numbers mean nothing, and no memory outside θ was read.
  bool is_averager;
};
/// In two loops, because an update has little else to do.
CellValues cell_values(std::span<const double> theta, const features::SparseFeatures& phi,
                       const features::SparseFeatures& phi_next);
/// θ_i += (η ℓ_i ω) φ_i for the active i, `loss` in the order of the indices.
void add_losses(double* theta, double eta, double omega, const LossPoint* loss,
                const features::SparseFeatures& phi);

}  // namespace shortfall::learn::detail
